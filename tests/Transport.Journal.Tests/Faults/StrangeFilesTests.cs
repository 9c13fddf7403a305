using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal;
using Transport.Testing;

namespace Transport.Journal.Tests.Faults;

/// <summary>Names in a journal's directory that are not what the journal put there: they end no process, hang nobody, and are nobody's to
/// remove.</summary>
internal sealed class StrangeFilesTests
{
    private TestFolder _folder = null!;

    [SetUp]
    public void MakeFolder() => _folder = new TestFolder();

    [TearDown]
    public void RemoveFolder() => _folder.Dispose();

    /// <summary>A pipe once made everybody who looked wait forever, and a folder was no segment at all, so that its journal was called
    /// valid.</summary>
    [Promise("Journal", "Folders, links and pipes in place of a segment are damage: they are neither followed nor waited for.")]
    [TestCase("folder")]
    [TestCase("pipe")]
    [TestCase("link")]
    [Platform("Linux")]
    public async Task A_segment_that_is_no_file_is_damage(string what)
    {
        Write(100);
        string kept = _folder.CopyOf(_folder.Journal, "kept");
        Replace(_folder.Segment(2), what, Path.Combine(kept, "0000000002.segment"));
        JournalReport report = await InTime(() => PacketJournal.Verify(_folder.Journal));
        Assert.That(report.Condition, Is.EqualTo(JournalCondition.Damaged));
        Assert.That(report.Findings, Has.Some.StartsWith("0000000002.segment: it is no regular file"));
        Assert.That(await InTime(() => Numbered.ReadAll(_folder.Journal).Count), Is.InRange(1, 99), "what is valid is readable");
        Assert.That(await InTime(() => Fault(() => PacketJournal.Open(_folder.Journal))), Is.EqualTo(JournalFault.Damaged));
        Assert.That(await InTime(() => Fault(() => PacketJournal.Compact(_folder.Journal, new JournalRetention { MaxBytes = 0 }))),
            Is.EqualTo(JournalFault.Damaged));
        var options = new JournalOptions { SetDamagedAside = true };
        using PacketJournal journal = await InTime(() => PacketJournal.Open(_folder.Journal, options));
        Assert.That(journal.Append(101), Is.GreaterThan(100));
    }

    private static IEnumerable<TestCaseData> Unreadable() =>
        from what in new[] { "folder", "pipe", "link", "header", "foreign", "gone" }
        from segment in new[] { 1, 2 }
        from follow in new[] { false, true }
        where what != "gone" || segment > 1   // the oldest ones may go: that is compaction
        select new TestCaseData(what, segment, follow);

    /// <summary>Who read past damage once took another journal's packets for this one's.</summary>
    [Test]
    public void Another_journals_segment_is_not_read_past_damage()
    {
        Write(100);
        string kept = _folder.CopyOf(_folder.Journal, "kept");
        Directory.Delete(_folder.Journal, recursive: true);
        Write(100);
        File.Copy(Path.Combine(kept, "0000000002.segment"), _folder.Segment(2), overwrite: true);
        long[] shown = [.. Numbered.ReadAll(_folder.Journal, pastDamage: true).Select(p => p.Number)];
        JournalReport report = PacketJournal.Verify(_folder.Journal);
        JournalSegment harmed = report.Segments.Single(s => s.Sequence == 2);
        Assert.That(report.Findings,
            Has.Some.StartsWith("0000000002.segment: its header is that of segment 2 of journal "));
        Assert.That(shown, Is.Ordered.And.Unique);
        Assert.That(shown.Where(n => n >= harmed.FirstPosition && n < report.Segments.Single(s => s.Sequence == 3).FirstPosition),
            Is.Empty);
        Assert.That(shown, Does.Contain(1L).And.Contain(100L));
    }

    /// <summary>Readers once said only that a header cannot be read, or that the segment is missing.</summary>
    [TestCaseSource(nameof(Unreadable))]
    [Platform("Linux")]
    public async Task Who_reads_is_reported_why_a_segment_cannot_be(string what, int segment, bool follow)
    {
        Write(100);
        string kept = _folder.CopyOf(_folder.Journal, "kept");
        string why = "it is no regular file";
        switch (what)
        {
            case "header":
                Flip(_folder.Segment(segment), 100, 2100);
                why = "its header cannot be read";
                break;
            case "foreign":
                File.Copy(_folder.Segment(3), _folder.Segment(segment), overwrite: true);
                why = "its header is that of segment 3";
                break;
            case "gone":
                File.Delete(_folder.Segment(segment));
                why = "is not there";
                break;
            default:
                Replace(_folder.Segment(segment), what, Path.Combine(kept, Path.GetFileName(_folder.Segment(segment))));
                break;
        }

        using var bound = new CancellationTokenSource(Bound);
        using var reader = JournalReader.Open(_folder.Journal, new JournalReaderOptions
        {
            Follow = follow, PollInterval = TimeSpan.FromMinutes(1), TimeProvider = new HurriedClock(),
        });
        do
        {
            await InTime(() => reader.ReadAll().Count);
        }
        while (follow && await reader.WaitAsync(bound.Token));

        string name = Path.GetFileName(_folder.Segment(segment));
        Assert.That(reader.Condition, Is.EqualTo(JournalCondition.Damaged));
        Assert.That(reader.Ending, Does.Contain(name).And.Contain(why));
        JournalReport report = await InTime(() => PacketJournal.Verify(_folder.Journal));
        Assert.That(report.Findings[0], Does.Contain(name).And.Contain(why));
        Assert.That(report.Segments.Where(s => s.FirstPosition < 0 || s.LastPosition < 0), Is.Empty);
        Assert.That(report.Segments.Where(s => !s.IsReadable).Select(s => (s.File, s.FirstPosition, s.LastPosition, s.Packets)),
            Is.EqualTo(Enumerable.Repeat((name, 0L, 0L, 0L), what is "foreign" or "gone" ? 0 : 1)));
    }

    [TestCase("folder")]
    [TestCase("pipe")]
    [TestCase("link")]
    [Platform("Linux")]
    public async Task A_lock_that_is_no_file_is_refused(string what)
    {
        Write(1);
        string target = Path.Combine(_folder.Root, "target");
        Replace(Path.Combine(_folder.Journal, "lock"), what, target);
        Assert.That(await InTime(() => Fault(() => PacketJournal.Open(_folder.Journal))), Is.EqualTo(JournalFault.NotAJournal));
        Assert.That(File.Exists(target), Is.False, "no link is followed");
    }

    [TestCase("")]
    [TestCase("a\0b")]
    public void A_name_that_no_directory_can_have_is_a_fault_of_the_journals(string name)
    {
        Action[] all =
        [
            () => PacketJournal.Open(name).Dispose(),
            () => PacketJournal.Open(name, new JournalOptions { BackEnd = JournalBackEnd.Uring }).Dispose(),
            () => JournalReader.Open(name).Dispose(),
            () => PacketJournal.Verify(name),
            () => PacketJournal.Compact(name, new JournalRetention()),
            () => SpillingSender.Open(name, (_, _) => Task.FromResult<SpillTarget?>(null)),
        ];
        Assert.That(all.Select(Fault), Has.All.EqualTo(JournalFault.NotAJournal));
    }

    /// <summary>With a separator at its end, a new journal's own directory was synced in place of its parent: a power cut could take the
    /// journal with all that it had acknowledged.</summary>
    [TestCase("/")]
    [TestCase("//")]
    [TestCase("/.")]
    [TestCase("/x/..")]
    [TestCase("/./")]
    [Platform("Linux")]
    public void A_separator_at_the_end_changes_nothing(string end)
    {
        using (PacketJournal journal = PacketJournal.Open(_folder.Journal + end))
        {
            Assert.That(journal.Directory, Is.EqualTo(_folder.Journal), "and what stands before its last separator is its parent");
            journal.Append(1);
        }

        Assert.That(Numbered.ReadAll(_folder.Journal + end), Has.Count.EqualTo(1));
    }

    [Promise("Journal", "Files in a journal's folder that are not the journal's are left alone.")]
    [Test]
    public void Files_of_others_stay_as_they_are()
    {
        Write(1);
        string[] theirs = ["spare-parts.csv", "spare-", "notes.txt", "damaged-1"];
        foreach (string name in theirs)
        {
            File.WriteAllText(Path.Combine(_folder.Journal, name), name);
        }

        using (PacketJournal journal = PacketJournal.Open(_folder.Journal))
        {
            journal.Append(2);
        }

        Flip(_folder.Segment(1), 100, 2100);
        using (PacketJournal journal = PacketJournal.Open(_folder.Journal, new JournalOptions { SetDamagedAside = true }))
        {
            Assert.That(journal.Recovery.SetAside, Does.EndWith("damaged-2"), "damaged-1 is a file");
        }

        Assert.That(theirs.Select(name => File.ReadAllText(Path.Combine(_folder.Journal, name))), Is.EqualTo(theirs));
    }

    /// <summary>Not every file called lock is a journal's.</summary>
    [Test]
    public void A_directory_of_others_with_a_lock_is_no_journal()
    {
        Directory.CreateDirectory(_folder.Journal);
        File.WriteAllText(Path.Combine(_folder.Journal, "lock"), string.Empty);
        File.WriteAllText(Path.Combine(_folder.Journal, "status"), "theirs");
        Assert.That(Fault(() => PacketJournal.Open(_folder.Journal)), Is.EqualTo(JournalFault.NotAJournal));
        Assert.That(Fault(() => JournalReader.Open(_folder.Journal)), Is.EqualTo(JournalFault.NotAJournal));
        Assert.That(Directory.GetFiles(_folder.Journal), Has.Length.EqualTo(2));
    }

    /// <summary>Readers change nothing, so a journal may be read where nothing may be written; asking for the writer once made a
    /// file.</summary>
    [Test]
    public async Task Following_a_copy_without_a_lock_makes_none()
    {
        Write(100);
        File.Delete(Path.Combine(_folder.Journal, "lock"));
        using var bound = new CancellationTokenSource(Bound);
        using var reader = JournalReader.Open(_folder.Journal, new JournalReaderOptions { Follow = true });
        int count = 0;
        do
        {
            count += reader.ReadAll().Count;
        }
        while (await reader.WaitAsync(bound.Token));

        Assert.That(count, Is.EqualTo(100));
        Assert.That(reader.Condition, Is.EqualTo(JournalCondition.Closed));
        Assert.That(File.Exists(Path.Combine(_folder.Journal, "lock")), Is.False);
    }

    [Test]
    [Platform("Linux")]
    public async Task Who_follows_is_reported_that_the_directory_has_gone()
    {
        PacketJournal journal = PacketJournal.Open(_folder.Journal);
        journal.Append(1);
        using var bound = new CancellationTokenSource(Bound);
        using var reader = JournalReader.Open(_folder.Journal, new JournalReaderOptions { Follow = true });
        Directory.Delete(_folder.Journal, recursive: true);
        journal.Dispose();
        JournalException? reported = null;
        while (reported is null)
        {
            try
            {
                _ = reader.ReadAll();
                Assert.That(await reader.WaitAsync(bound.Token), Is.True);
            }
            catch (JournalException e)
            {
                reported = e;
            }
        }

        Assert.That(reported.Fault, Is.EqualTo(JournalFault.NotAJournal));
    }

    /// <summary>It went on acknowledging what nobody could ever read again.</summary>
    /// <param name="sync">The policy.</param>
    /// <param name="what">What is deleted.</param>
    [Test]
    [Platform("Linux")]
    public async Task A_journal_whose_files_were_deleted_acknowledges_nothing_more(
        [Values(JournalSync.GroupCommit, JournalSync.Always)] JournalSync sync, [Values("folder", "segment")] string what)
    {
        using PacketJournal journal = PacketJournal.Open(_folder.Journal, new JournalOptions { Sync = sync });
        await journal.AppendAsync(new JournalNode("n1"), 2000, new byte[10]);
        if (what == "folder")
        {
            Directory.Delete(_folder.Journal, recursive: true);
        }
        else
        {
            File.Delete(_folder.Segment(1));
        }

        JournalException? gone = await Assert.ThrowsAsync<JournalException>(
            async () => await journal.AppendAsync(new JournalNode("n1"), 2000, new byte[10]));
        Assert.That(gone!.Fault, Is.EqualTo(JournalFault.SyncFailed));
        Assert.That(gone.Message, Does.StartWith("0000000001.segment has no name any more").And.Contain("Find out who deletes it"));
        Assert.That(journal.Failure, Is.Not.Null);
    }

    private const int Bound = 90_000;

    private static async Task<T> InTime<T>(Func<T> what)
    {
        Task<T> task = Task.Factory.StartNew(what, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        using var over = new CancellationTokenSource();
        Task bound = Task.Run(() => over.Token.WaitHandle.WaitOne(Bound));
        Assert.That(await Task.WhenAny(task, bound), Is.SameAs(task), "it waits forever");
        over.Cancel();
        return await task;
    }

    private static JournalFault? Fault(Action what) => Assert.Throws<JournalException>(what)?.Fault;

    private static void Flip(string file, params int[] places)
    {
        byte[] bytes = File.ReadAllBytes(file);
        foreach (int place in places)
        {
            bytes[place] ^= 1;
        }

        File.WriteAllBytes(file, bytes);
    }

    private static void Replace(string path, string what, string target)
    {
        File.Delete(path);
        (string program, string arguments) = what switch
        {
            "folder" => ("mkdir", $"\"{path}\""),
            "pipe" => ("mkfifo", $"\"{path}\""),
            _ => ("ln", $"-s \"{target}\" \"{path}\""),
        };
        using Process maker = Process.Start(new ProcessStartInfo(program, arguments) { UseShellExecute = false })!;
        maker.WaitForExit();
        Assert.That(maker.ExitCode, Is.Zero);
    }

    private void Write(int packets)
    {
        using PacketJournal journal = PacketJournal.Open(_folder.Journal, new JournalOptions { SegmentBytes = 64 << 10 });
        for (int i = 1; i <= packets; i++)
        {
            journal.Append(i, 2000);
        }
    }

    /// <summary>Nobody waits.</summary>
    private sealed class HurriedClock : TimeProvider
    {
        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            base.CreateTimer(callback, state, TimeSpan.Zero, period);
    }
}
