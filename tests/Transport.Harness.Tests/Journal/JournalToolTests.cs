using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text.Json;
using System.Threading.Tasks;
using BuildHarness.Tests.Processes;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport;
using Transport.Journal;
using Transport.Logging;

namespace BuildHarness.Tests.Journal;

/// <summary><c>journal verify|dump|stat|compact</c> and <c>follow</c>: output and exit codes.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class JournalToolTests
{
    private const int Packets = 3_000, Unknown = 1030;

    private readonly DateTimeOffset _time = new(2026, 11, 21, 20, 0, 0, TimeSpan.FromHours(1));

    [Test]
    public async Task A_valid_journal_is_valid_to_each_command()
    {
        using var rig = new JournalRig();
        Write(rig.Journal);
        Dictionary<string, string> before = Contents(rig.Journal);

        using Harness verify = await Harness.RunToolAsync("journal", "verify", rig.Journal);
        (int dumped, string[] errors, Dumped[] packets) = await JournalRig.DumpAsync(rig.Journal);
        using Harness stat = await Harness.RunToolAsync("journal", "stat", rig.Journal);
        using Harness follow = await Harness.RunToolAsync("follow", rig.Journal);

        Assert.That((verify.ExitCode, dumped, stat.ExitCode, follow.ExitCode), Is.EqualTo((0, 0, 0, 0)));
        Assert.That(verify.Errors.Length + errors.Length + stat.Errors.Length + follow.Errors.Length, Is.Zero);
        Assert.That(verify.Output, Has.Length.EqualTo(1).And.Some.StartsWith("valid: 3000 packets, positions 1 to 3000, in "));
        Assert.That(packets.Select(p => p.Position), Is.EqualTo(Enumerable.Range(1, Packets).Select(i => (long)i)));
        ExpectDecoded(packets);
        Assert.That(stat.Output, Has.Some.Contains("back end ").And.Some.Contains("the last opening: ").And.Some.Contains("half within ")
            .And.Some.Match(@"^ {4}n1 LogEvent \(256\): 2997 packets, ").And.Some.Match(@"^ {4}n2 type 1030: 1 packet, 3 B$"));
        Assert.That(stat.Output, Has.Some.Match("^from 2026-11-21T19:00:00.0000000Z to "));
        Assert.That(follow.Output.Take(4),
            Is.EqualTo(new[] { "n1 out: a line", "n1 progress 7: 1/2 half", "n2 type 1030: 3 bytes", "n1 Warning Category: text 3" }));
        Assert.That(follow.Output.Count(line => line.StartsWith("n1 Warning Category: text ", StringComparison.Ordinal)),
            Is.EqualTo(Packets - 3));
        Assert.That(Contents(rig.Journal), Is.EqualTo(before), "none of them changes a file");
    }

    [TestCase("killed at a record's border", "not closed")]
    [TestCase("cut in the middle of a record", "torn")]
    [TestCase("a flipped bit", "damaged")]
    [TestCase("shorter than its header says", "")]
    public async Task What_is_not_valid_is_reported_in_one_line_and_the_valid_part_shown(string kind, string word)
    {
        using var rig = new JournalRig();
        string journal = Path.Combine(rig.Folder, "other");
        Harm(rig.Journal, journal, kind);
        Dictionary<string, string> before = Contents(journal);

        using Harness verify = await Harness.RunToolAsync("journal", "verify", journal);
        (int exitCode, string[] errors, Dumped[] packets) = await JournalRig.DumpAsync(journal);

        Assert.That((verify.ExitCode, exitCode), Is.EqualTo((1, 1)));
        Assert.That((verify.Errors.Length, errors.Length), Is.EqualTo((1, 1)), () => string.Join('\n', [.. verify.Errors, .. errors]));
        TestContext.Out.WriteLine(verify.Errors[0]);
        Assert.That(verify.Errors[0], Does.StartWith($"transport: {journal}: ").And.Contain(word).And.Contain(".segment"),
            "where and what");
        Assert.That(packets.Length, Is.EqualTo(kind == "a flipped bit" ? Packets - 1 : Packets));
        Assert.That(packets.Select(p => p.Position), Is.Ordered.Ascending.And.Unique);
        Assert.That(Contents(journal), Is.EqualTo(before), "neither changes a file");
    }

    /// <summary>It was once said of it that it was not closed, with exit code 1, as of one whose writer was killed.</summary>
    [Test]
    public async Task A_journal_that_is_being_written_is_valid()
    {
        using var rig = new JournalRig();
        using PacketJournal journal = Fill(rig.Journal);
        using Harness verify = await Harness.RunToolAsync("journal", "verify", rig.Journal);
        using Harness stat = await Harness.RunToolAsync("journal", "stat", rig.Journal);
        (int dumped, string[] errors, Dumped[] packets) = await JournalRig.DumpAsync(rig.Journal);

        Assert.That((verify.ExitCode, stat.ExitCode, dumped), Is.EqualTo((0, 0, 0)));
        Assert.That((verify.Errors.Length, stat.Errors.Length), Is.EqualTo((0, 0)));
        Assert.That(verify.Output, Has.Length.EqualTo(1).And.Some.StartsWith("being written: 3000 packets, positions 1 to 3000, in "));
        Assert.That(stat.Output[0], Is.EqualTo(verify.Output[0]));
        Assert.That(packets, Has.Length.EqualTo(Packets));
        Assert.That(errors, Is.EqualTo(
            new[] { $"transport: {rig.Journal}: it is being written; this is what was there, up to position 3000" }));
    }

    [TestCase(1)]
    [TestCase(2)]
    public async Task A_segment_that_is_no_file_is_reported_by_each_command(int segment)
    {
        using var rig = new JournalRig();
        Write(rig.Journal);
        string[] files = [.. Directory.GetFiles(rig.Journal, "*.segment").Order(StringComparer.Ordinal)];
        string name = Path.GetFileName(files[segment - 1]);
        File.Delete(files[segment - 1]);
        Directory.CreateDirectory(files[segment - 1]);
        foreach (string[] command in new string[][] { ["journal", "verify"], ["journal", "dump"], ["journal", "stat"], ["follow"] })
        {
            using Harness run = await Harness.RunToolAsync([.. command, rig.Journal]);
            Assert.That((run.ExitCode, run.Errors.Length), Is.EqualTo((1, 1)), string.Join(' ', command));
            Assert.That(run.Errors[0], Does.Contain($"{name}: it is no regular file"), string.Join(' ', command));
            if (command[^1] == "stat")
            {
                Assert.That(run.Output, Has.None.Contains("to -1"));
                Assert.That(run.Output, Has.Some.EqualTo($"    {name}: cannot be read, 0 B"));
            }
        }
    }

    [TestCase("verify")]
    [TestCase("dump")]
    [TestCase("stat")]
    [TestCase("compact")]
    public async Task What_is_no_journal_is_said_to_be_none(string command)
    {
        using var rig = new JournalRig();
        File.WriteAllText(Path.Combine(rig.Folder, "a text"), "no journal");
        using Harness run = await Harness.RunToolAsync("journal", command, rig.Folder);

        Assert.That((run.ExitCode, run.Output.Length, run.Errors.Length), Is.EqualTo((2, 0, 1)));
        Assert.That(run.Errors[0], Does.StartWith("transport: ").And.Contain(rig.Folder));
        Assert.That(Directory.GetFiles(rig.Folder), Has.Length.EqualTo(1));
    }

    [TestCase("follow")]
    [TestCase("replay")]
    public async Task What_is_no_journal_is_neither_followed_nor_replayed(string command)
    {
        using var rig = new JournalRig();
        File.WriteAllText(Path.Combine(rig.Folder, "a text"), "no journal");
        using Harness run = command == "replay"
            ? await Harness.RunAsync(command, rig.Folder)
            : await Harness.RunToolAsync(command, rig.Folder);

        Assert.That((run.ExitCode, run.Output.Length, run.Errors.Length), Is.EqualTo((2, 0, 1)));
    }

    [Test]
    public async Task A_dump_can_be_of_one_node_or_type_or_from_a_position_on()
    {
        using var rig = new JournalRig();
        Write(rig.Journal);
        (_, _, Dumped[] node) = await JournalRig.DumpAsync(rig.Journal, "--node", "n2");
        (_, _, Dumped[] type) = await JournalRig.DumpAsync(rig.Journal, "--type", "257", "--type", "258");
        (_, _, Dumped[] from) = await JournalRig.DumpAsync(rig.Journal, "--from", "2999");

        Assert.That(node.Select(p => p.Position), Is.EqualTo(new[] { 3L }));
        Assert.That(type.Select(p => p.Position), Is.EqualTo(new[] { 1L, 2L }));
        Assert.That(from.Select(p => p.Position), Is.EqualTo(new[] { 2999L, 3000L }));
    }

    [Test]
    public async Task Compact_drops_the_oldest_segments()
    {
        using var rig = new JournalRig();
        Write(rig.Journal);
        using Harness none = await Harness.RunToolAsync("journal", "compact", rig.Journal);
        using Harness compact = await Harness.RunToolAsync("journal", "compact", rig.Journal, "--max-bytes", "131072");
        (int exitCode, _, Dumped[] packets) = await JournalRig.DumpAsync(rig.Journal);

        Assert.That((none.ExitCode, compact.ExitCode, exitCode), Is.EqualTo((0, 0, 0)));
        Assert.That(none.Output[0], Does.StartWith("dropped 0 segments"));
        Assert.That(compact.Output,
            Has.Length.EqualTo(1).And.Some.Match($@"^dropped \d+ segments, .*; the oldest position is {packets[0].Position}$"));
        Assert.That(packets[0].Position, Is.GreaterThan(1));
        Assert.That(packets[^1].Position, Is.EqualTo(Packets));
    }

    [Test]
    public async Task Follow_shows_what_another_process_writes_until_it_closes_the_journal()
    {
        using var rig = new JournalRig();
        var journal = PacketJournal.Open(rig.Journal, new JournalOptions { SegmentBytes = 64 << 10 });
        var node = new JournalNode("n1");
        journal.Append(node, LogEvent.PacketType.Id, Body(LogEvent.PacketType, Event(0)));
        using Harness follow = Harness.StartTool("follow", rig.Journal);
        await follow.SaysAsync(line => line == "n1 Warning Category: text 0");
        for (int i = 1; i <= 1000; i++)
        {
            Assert.That(journal.TryAppend(node, LogEvent.PacketType.Id, Body(LogEvent.PacketType, Event(i)), out _),
                Is.EqualTo(SendResult.Queued));
        }

        await follow.SaysAsync(line => line == "n1 Warning Category: text 1000");
        await journal.CloseAsync();
        await follow.EndAsync();
        Assert.That(follow.ExitCode, Is.Zero);
        string[] lines = [.. follow.Output.Where(line => line.Contains("text ", StringComparison.Ordinal))];
        Assert.That(lines, Is.EqualTo(Enumerable.Range(0, 1001).Select(i => $"n1 Warning Category: text {i}")), "each once, in order");
    }

    [Test]
    public async Task Follow_ends_with_ctrl_c()
    {
        using var rig = new JournalRig();
        using var journal = PacketJournal.Open(rig.Journal);
        journal.Append(new JournalNode("n1"), LogEvent.PacketType.Id, Body(LogEvent.PacketType, Event(0)));
        using Harness follow = Harness.StartTool("follow", rig.Journal);
        await follow.SaysAsync(line => line == "n1 Warning Category: text 0");
        Harness.Kill(follow.ProcessId, "INT");
        await follow.EndAsync();
        Assert.That((follow.ExitCode, follow.Errors.Length), Is.EqualTo((130, 0)));
    }

    private static LogEvent Event(int i, DateTimeOffset time = default) => new()
    {
        Time = time,
        Level = LogLevel.Warning,
        Category = "Category",
        EventId = 5,
        Message = $"text {i}",
        Context = [1, 2],
        Properties = [new("Name", "value"), new("Count", 3), new("Ratio", 0.5), new("Not", double.NaN), new("Flag", true)],
        Exception = i == 3 ? null : "Exception: \"x\"\n   at y",
    };

    private static byte[] Body<T>(Transport.PacketType<T> type, T packet)
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        type.Formatter.Write(output, packet);
        return output.WrittenSpan.ToArray();
    }

    private static Dictionary<string, string> Contents(string folder) => Directory.GetFiles(folder).ToDictionary(
        f => Path.GetFileName(f),
        f => $"{Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(f)))} {File.GetLastWriteTimeUtc(f).Ticks}");

    private static void ExpectDecoded(Dumped[] packets)
    {
        Assert.Multiple(() =>
        {
            Assert.That(packets[0].Body.GetProperty("text").GetString(), Is.EqualTo("a line"));
            Assert.That(packets[1].Body.GetProperty("total").GetInt64(), Is.EqualTo(2));
            Assert.That(packets[2].Body.GetRawText(), Is.EqualTo("""{"base64":"kwEC"}"""));
            Assert.That((packets[2].Node, packets[2].Type, packets[2].Time), Is.EqualTo(
                ("n2", Unknown, DateTimeOffset.Parse("2026-11-21T19:00:00.0000030Z", System.Globalization.CultureInfo.InvariantCulture))));
            Assert.That(packets[3].Body.GetRawText(), Is.EqualTo(
                """{"time":"2026-11-21T19:00:00.0000000Z","level":3,"category":"Category","eventId":5,"message":"text 3","context":[1,2]"""
                + ""","properties":{"Name":"value","Count":3,"Ratio":0.5,"Not":"NaN","Flag":true},"exception":null}"""));
            Assert.That(packets[4].Body.GetProperty("exception").GetString(), Is.EqualTo("Exception: \"x\"\n   at y"));
        });
    }

    /// <summary>Makes a journal that is not valid, of a valid one.</summary>
    private void Harm(string valid, string journal, string kind)
    {
        if (kind == "killed at a record's border")
        {
            using PacketJournal open = Fill(valid);
            Copy();
            return;
        }

        Write(valid);
        Copy();
        string last = Directory.GetFiles(journal, "*.segment").Order(StringComparer.Ordinal).Last();
        using FileStream file = File.Open(
            kind == "a flipped bit" ? Directory.GetFiles(journal, "*.segment").Order(StringComparer.Ordinal).First() : last, FileMode.Open);
        byte[] bytes = new byte[file.Length];
        file.ReadExactly(bytes);
        int end = Array.FindLastIndex(bytes, b => b != 0) + 1;
        switch (kind)
        {
            case "a flipped bit":
                file.Position = Find(bytes, "text 100"u8);
                file.WriteByte((byte)'T');
                break;
            case "shorter than its header says":
                file.SetLength(end);
                break;
            default:
                // What a write that was under way leaves: the closing record and what is behind it, as if of another time.
                file.Position = end - 30;
                file.Write([.. Enumerable.Range(1, 40).Select(i => (byte)i)]);
                break;
        }

        void Copy()
        {
            Directory.CreateDirectory(journal);
            foreach (string from in Directory.GetFiles(valid, "*.segment"))
            {
                File.Copy(from, Path.Combine(journal, Path.GetFileName(from)));
            }

            File.WriteAllBytes(Path.Combine(journal, "lock"), []);   // a held one is not to be read
        }
    }

    private static int Find(byte[] bytes, ReadOnlySpan<byte> text) => bytes.AsSpan().IndexOf(text);

    private void Write(string directory)
    {
        using PacketJournal journal = Fill(directory);
    }

    private PacketJournal Fill(string directory)
    {
        var journal = PacketJournal.Open(directory, new JournalOptions { SegmentBytes = 64 << 10 });
        var one = new JournalNode("n1");
        _ = journal.TryAppend(one, OutputPacket.PacketType.Id, Body(OutputPacket.PacketType, new OutputPacket
        {
            Time = _time, Stream = OutputStream.Out, Text = "a line",
        }), out _, _time.AddTicks(10));
        _ = journal.TryAppend(one, ProgressPacket.PacketType.Id, Body(ProgressPacket.PacketType, new ProgressPacket
        {
            Time = _time, Id = 7, Done = 1, Total = 2, Text = "half",
        }), out _, _time.AddTicks(20));
        _ = journal.TryAppend(new JournalNode("n2"), Unknown, [0x93, 1, 2], out _, _time.AddTicks(30));
        for (int i = 3; i < Packets; i++)
        {
            _ = journal.TryAppend(one, LogEvent.PacketType.Id, Body(LogEvent.PacketType, Event(i, _time)), out _, i == 3 ? _time : default);
        }

        journal.Commit(journal.Appended);
        return journal;
    }
}
