using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests;
using Transport.Testing;

namespace Transport.Journal.Tests.Spill;

/// <summary>A sender's journal that was harmed between two runs, or while it runs: reported by a fault and what to do, nothing gone without
/// a word, nothing handled twice.</summary>
internal sealed class DamagedSpillTests : SpillFixture
{
    private const int Acknowledged = 1000, Left = 2000, New = 1_000_000;

    private string Normal => Path.Combine(Rig.Directory, "normal");

    /// <summary>Gets the segments there are, oldest first.</summary>
    private string[] Segments => [.. Directory.GetFiles(Normal, "*.segment").OrderBy(f => f, StringComparer.Ordinal)];

    [SetUp]
    public void Expect() => Rig.MayReportDamage = true;

    [Promise("Spill", "Damage in a sender's journal is reported; damaged packets are never sent.")]
    [TestCase("bits")]
    [TestCase("headers of the last two")]
    [TestCase("gone in between")]
    [TestCase("cut")]
    [TestCase("a text")]
    [TestCase("another journal's")]
    [TestCase("the first is another journal's")]
    public async Task Damage_is_refused_by_name_and_set_aside_where_that_is_wished(string what)
    {
        await LeaveBehind();
        await Harm(what);
        Dictionary<string, long> before = Directory.GetFiles(Normal).ToDictionary(f => f, f => new FileInfo(f).LastWriteTimeUtc.Ticks);
        JournalException refused = Assert.Throws<JournalException>(() => Rig.Open(Small))!;
        TestContext.Out.WriteLine(refused.Message);
        Assert.That(refused.Fault, Is.EqualTo(JournalFault.Damaged));
        foreach (string part in new[] { Normal, ".segment", "Nothing was changed", "Restore", "SetDamagedAside = true" })
        {
            Assert.That(refused.Message, Does.Contain(part));
        }

        Assert.That(Directory.GetFiles(Normal).ToDictionary(f => f, f => new FileInfo(f).LastWriteTimeUtc.Ticks), Is.EqualTo(before));

        await using SpillingSender sender = Rig.Open(o =>
        {
            Small(o);
            o.Journal.SetDamagedAside = true;
        });
        SpillRig.Until(() => Rig.Reported(SpillEvent.JournalDamaged), "it is reported");
        SpillReport reported = Rig.TheReport(SpillEvent.JournalDamaged);
        TestContext.Out.WriteLine(reported.Message);
        Assert.That(reported.Fault, Is.EqualTo(JournalFault.Damaged));
        Assert.That((reported.Cause as JournalException)?.Fault, Is.EqualTo(JournalFault.Damaged));
        Assert.That(reported.Message, Does.Contain(Path.Combine(Normal, "damaged-1")).And.Contain("PastDamage"));
        int most = what.StartsWith("the first", StringComparison.Ordinal) ? int.MaxValue : what == "bits" ? Left - 1 : Left - 50;
        Assert.That(reported.Packets, Is.InRange(1, most));
        SpillRig.Send(sender, New, New + 99);
        Rig.Arrive();
        SpillRig.Until(() => Rig.Numbers.LastOrDefault() == New + 99, "what is new comes");
        IEnumerable<long> expected = Count(1, Acknowledged).Concat(Count(New, New + 99));
        Assert.That(Rig.Numbers, Is.EqualTo(expected), "each once, and nothing new is taken for a double");
        SpillRig.Until(() => sender.Status.IsDelivered, "everything is acknowledged");
    }

    /// <summary>No file says that others were there before the oldest: what is acknowledged does.</summary>
    [Test]
    public async Task Oldest_files_that_were_taken_away_are_reported_and_the_rest_arrives()
    {
        await LeaveBehind();
        string[] segments = Segments;
        Assert.That(segments, Has.Length.GreaterThan(5));
        File.Delete(segments[0]);
        File.Delete(segments[1]);
        await using SpillingSender sender = Rig.Open(Small);
        SpillRig.Until(() => Rig.Reported(SpillEvent.JournalDamaged), "it is reported");
        SpillReport reported = Rig.TheReport(SpillEvent.JournalDamaged);
        TestContext.Out.WriteLine(reported.Message);
        Rig.Arrive();
        SpillRig.Send(sender, New, New);
        SpillRig.Until(() => Rig.Numbers.LastOrDefault() == New, "the new one comes");
        long[] later = [.. Rig.Numbers.Skip(Acknowledged)];
        long first = later[0];
        Assert.That(later, Is.EqualTo(Count(first, Acknowledged + Left).Concat(Count(New, New))));
        Assert.That(first, Is.GreaterThan(Acknowledged + 1));
        Assert.That(reported.Fault, Is.EqualTo(JournalFault.Damaged));
        Assert.That(reported.Packets, Is.GreaterThanOrEqualTo(first - Acknowledged - 1), "at most so many are missing");
    }

    /// <summary>Killed on a full disk before it had noted what was acknowledged: the next sender said that the oldest files had been taken
    /// away.</summary>
    /// <param name="bytes">Of a packet: for the long ones there is capacity only once the one before is dropped.</param>
    [TestCase(95 << 10)]
    [TestCase(30 << 10)]
    public async Task What_a_sender_dropped_is_not_said_to_be_taken_away(int bytes)
    {
        var options = new JournalOptions
        {
            SegmentBytes = 64 << 10, MaxBytes = 192 << 10, MaxPacketBytes = 96 << 10, OpensOnFullDisk = true,
        };
        Directory.CreateDirectory(Rig.Directory);
        using (PacketJournal killed = PacketJournal.Open(Normal, options))
        {
            for (int i = 0; i < 3; i++)
            {
                await killed.AppendAsync(new JournalNode("spill"), 2000, new byte[bytes]);
                killed.Compact(new JournalRetention { Watermark = killed.Appended + 1 });
            }

            Assert.That(Segments, Has.Length.EqualTo(1).And.None.Contains("0000000001."));
        }

        SpillingSender sender = Rig.Open(Small);
        await sender.CloseAsync();
        Assert.That(Rig.Reported(SpillEvent.JournalDamaged), Is.False, "by its end all reports are out");
    }

    /// <summary>What is dropped later is not noted over what somebody else took away before.</summary>
    [Test]
    public async Task Files_that_were_taken_away_are_reported_though_others_were_dropped_behind_them()
    {
        await LeaveBehind();
        string[] segments = Segments;
        File.Delete(segments[0]);
        File.Delete(segments[1]);
        using (PacketJournal other = PacketJournal.Open(Normal, new JournalOptions { SegmentBytes = 64 << 10, OpensOnFullDisk = true }))
        {
            Assert.That(other.Compact(new JournalRetention { MaxBytes = (segments.Length - 3) * (64 << 10) }).DroppedSegments, Is.Positive);
        }

        SpillingSender sender = Rig.Open(Small);
        await sender.CloseAsync();
        Assert.That(Rig.Reported(SpillEvent.JournalDamaged), Is.True);
    }

    [Test]
    public async Task A_last_file_that_was_cut_is_reported_and_the_rest_arrives()
    {
        await LeaveBehind();
        Cut(Segments[Segments.Length - 1], 4096 + 1000);
        await using SpillingSender sender = Rig.Open(Small);
        SpillRig.Until(() => Rig.Reported(SpillEvent.JournalDamaged), "it is reported");
        SpillReport reported = Rig.TheReport(SpillEvent.JournalDamaged);
        TestContext.Out.WriteLine(reported.Message);
        Assert.That(reported.Fault, Is.EqualTo(JournalFault.Damaged));
        Assert.That(reported.Message, Does.Contain("was cut: it had 5096 of its 65536 bytes"));
        Rig.Arrive();
        SpillRig.Send(sender, New, New);
        SpillRig.Until(() => Rig.Numbers.LastOrDefault() == New, "the new one comes");
        long[] numbers = Rig.Numbers;
        Assert.That(numbers, Is.EqualTo(Count(1, numbers[numbers.Length - 2]).Concat(Count(New, New))));
    }

    [Test]
    public async Task Files_of_others_are_nobodys_business()
    {
        Rig.MayReportDamage = false;
        await LeaveBehind();
        File.WriteAllText(Path.Combine(Normal, "notes.txt"), "mine");
        await using SpillingSender sender = Rig.Open(Small);
        Rig.Arrive();
        Rig.ExpectAll(1, Acknowledged + Left);
        Assert.That(File.ReadAllText(Path.Combine(Normal, "notes.txt")), Is.EqualTo("mine"));
    }

    /// <summary>A sender of a main node's journal would send others' packets, or what it takes for notes of its own.</summary>
    [TestCase(288)]
    [TestCase(289)]
    public void A_journal_of_something_else_is_refused(int type)
    {
        Directory.CreateDirectory(Rig.Directory);
        using (PacketJournal journal = PacketJournal.Open(Normal))
        {
            journal.Append(Numbered.Node, (ushort)type, [0x93, 1, 2, 3]);
            journal.Append(Numbered.Node, (ushort)type, [0xc0]);
        }

        JournalException refused = Assert.Throws<JournalException>(() => Rig.Open())!;
        Assert.That(refused.Fault, Is.EqualTo(JournalFault.NotAJournal));
        Assert.That(refused.Message, Does.Contain("not that of a sender").And.Contain("Name another"));
        using PacketJournal after = PacketJournal.Open(Normal);   // nobody holds it
    }

    /// <summary>What could not be read was once counted as lost in the journal's memory, then acknowledged with what came later, and its
    /// file dropped; in the file at the end the lane stood still forever.</summary>
    [Test]
    public async Task What_cannot_be_read_while_it_runs_is_reported_and_stays([Values] bool inTheLastFile)
    {
        await using SpillingSender sender = Rig.Open(Small);
        SpillRig.Send(sender, 1, Left);
        SpillRig.Until(() => sender.Journals[0].Committed == sender.Journals[0].Appended, "all is written");
        string harmed = Segments[inTheLastFile ? Segments.Length - 1 : 2];
        Flip(harmed, 4096 + 600);
        Rig.Arrive();
        SpillRig.Until(() => Rig.Reported(SpillEvent.JournalFailed), "it is reported");
        SpillReport reported = Rig.TheReport(SpillEvent.JournalFailed);
        TestContext.Out.WriteLine(reported.Message);
        Assert.That(reported.Fault, Is.EqualTo(JournalFault.Damaged));
        Assert.That(reported.Message, Does.Contain(Path.GetFileName(harmed)).And.Contain("PastDamage"));
        long next = New;
        SpillRig.Until(() => sender.TrySend(NumberPacket.Type, new NumberPacket(next, [])) == SendResult.Queued, "packets go directly");
        SpillRig.Until(() => Rig.Numbers.LastOrDefault() == New, "that one comes");
        long[] numbers = Rig.Numbers;
        Assert.That(numbers, Is.EqualTo(Count(1, numbers.Length - 1).Concat(Count(New, New))));
        Assert.That(reported.Packets, Is.EqualTo(Left - (numbers.Length - 1)), "those that are missing");
        SpillStatus done = await sender.CloseAsync();
        Assert.That(done.IsDelivered, Is.False, "not all of it");
        Assert.That(File.Exists(harmed), Is.True, "what was not sent is not dropped");
        Assert.That(Readable(pastDamage: true), Is.SupersetOf(Count(numbers.Length + 1, Left)), "and can be read");
        Assert.That(Assert.Throws<JournalException>(() => Rig.Open(Small))!.Fault, Is.EqualTo(JournalFault.Damaged));
    }

    [Test]
    public async Task Oldest_files_that_are_taken_away_while_it_runs_are_reported()
    {
        await using SpillingSender sender = Rig.Open(Small);
        SpillRig.Send(sender, 1, Left);
        SpillRig.Until(() => sender.Journals[0].Committed == sender.Journals[0].Appended, "all is written");
        File.Delete(Segments[0]);
        Rig.Arrive();
        SpillRig.Until(() => Rig.Reported(SpillEvent.JournalFailed), "it is reported");
        SpillReport reported = Rig.TheReport(SpillEvent.JournalFailed);
        TestContext.Out.WriteLine(reported.Message);
        Assert.That((reported.Fault, reported.Packets), Is.EqualTo(((JournalFault?)JournalFault.Damaged, (long)Left)));
        Assert.That(reported.Message, Does.Contain("taken the oldest ones away"));
        SpillStatus done = await sender.CloseAsync(TimeSpan.FromHours(1)).WaitAsync();
        Assert.That(done.IsDelivered, Is.False, "and nobody waits for what will not be sent");
    }

    private static void Small(SpillOptions options) => options.Journal = new JournalOptions { SegmentBytes = 64 << 10 };

    private static IEnumerable<long> Count(long from, long to)
    {
        for (long number = from; number <= to; number++)
        {
            yield return number;
        }
    }

    private static void Flip(string file, params int[] places)
    {
        using var stream = new FileStream(file, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        foreach (int place in places)
        {
            stream.Position = place;
            int was = stream.ReadByte();
            stream.Position = place;
            stream.WriteByte((byte)(was ^ 1));
        }
    }

    private static void Cut(string file, long length)
    {
        using var stream = new FileStream(file, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        stream.SetLength(length);
    }

    private List<long> Readable(bool pastDamage)
    {
        var numbers = new List<long>();
        var options = new JournalReaderOptions { PastDamage = pastDamage, Types = [(ushort)NumberPacket.Type.Id] };
        using var reader = JournalReader.Open(Normal, options);
        while (reader.TryRead(out JournalRecord record))
        {
            numbers.Add(record.Read(NumberPacket.Type).Number);
        }

        return numbers;
    }

    /// <summary>A first run: a thousand arrive, and two thousand stay in the journal.</summary>
    private async Task LeaveBehind()
    {
        Rig.Arrive();
        await using SpillingSender sender = Rig.Open(Small);
        SpillRig.Send(sender, 1, Acknowledged);
        Rig.ExpectAll(1, Acknowledged);
        SpillRig.Until(() => sender.Status.IsDelivered, "they are acknowledged");
        await Rig.LeaveAsync();
        SpillRig.Until(() => sender.Link is null, "the sender knows");
        SpillRig.Send(sender, Acknowledged + 1, Acknowledged + Left);
        SpillStatus done = await sender.CloseAsync(TimeSpan.Zero);
        Assert.That(done.IsDelivered, Is.False);
    }

    private async Task Harm(string what)
    {
        string[] segments = Segments;
        string middle = segments[segments.Length / 2];
        switch (what)
        {
            case "bits":
                Flip(middle, 20_000, 20_007, 30_000);
                break;
            case "headers of the last two":
                Flip(segments[segments.Length - 1], 100, 2100);
                Flip(segments[segments.Length - 2], 100, 2100);
                break;
            case "gone in between":
                File.Delete(middle);
                break;
            case "cut":
                Cut(middle, 20_000);
                break;
            case "a text":
                File.WriteAllText(middle, "no segment");
                break;
            default:
                string harmed = what.StartsWith("the first", StringComparison.Ordinal) ? segments[0] : middle;
                await using (var other = new SpillRig())
                {
                    await using (SpillingSender sender = other.Open(Small))
                    {
                        SpillRig.Send(sender, 1, 5 * Left);
                        await sender.CloseAsync(TimeSpan.Zero);
                    }

                    File.Copy(Path.Combine(other.Directory, "normal", Path.GetFileName(harmed)), harmed, overwrite: true);
                }

                break;
        }
    }
}
