using System;
using System.Collections.Concurrent;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Faults;

/// <summary>Whatever is opened and closed gives its file descriptors back.</summary>
[Platform("Linux")]
[NonParallelizable]
internal sealed class DescriptorTests
{
    private const int Times = 50;
    private const int Refused = 3;

    /// <summary>What the runtime may open for itself meanwhile: nothing that grows with what is opened here.</summary>
    private const int Tolerance = 10;

    private static readonly string[] Kinds = ["write", "uring", "write, every second", "reader", "own reader", "follower", "verifier",
        "compactor", "spill sender", "refused", "damaged"];

    private TestFolder _folder = null!;

    [SetUp]
    public void MakeFolder() => _folder = new TestFolder();

    [TearDown]
    public void RemoveFolder() => _folder.Dispose();

    [TestCaseSource(nameof(Kinds))]
    public async Task Opening_and_closing_leaves_no_descriptor(string kind)
    {
        await Once(kind);   // what the runtime opens once, it opens here
        await Once(kind);
        string[] before = Open();
        for (int i = 0; i < Times; i++)
        {
            await Once(kind);
        }

        string[] after = Open();
        TestContext.Out.WriteLine($"{before.Length} before, {after.Length} after");
        Assert.That(after, Has.Length.LessThan(before.Length + Tolerance), () => string.Join("; ", after));
        Assert.That(after.Where(target => target.StartsWith(_folder.Root, StringComparison.Ordinal)), Is.Empty, "none of the journal's");
    }

    /// <summary>
    /// With few descriptors a journal on io_uring stood still for good: its commits were to wake code on a pool that had got no thread.
    /// </summary>
    /// <param name="backEnd">The back end.</param>
    /// <param name="limit">How many descriptors the process may have. It takes some 55 before it comes to the journal.</param>
    [Test]
    public Task With_few_descriptors_allowed_a_journal_works_or_does_not_open(
        [Values(JournalBackEnd.Write, JournalBackEnd.Uring)] JournalBackEnd backEnd, [Values(64, 67, 70, 90)] int limit) =>
        WriteWithFewAsync(backEnd, limit, null);

    /// <param name="backEnd">The back end.</param>
    /// <param name="left">How many the rest of the process has left.</param>
    [Test]
    public Task With_few_descriptors_left_a_journal_works_or_does_not_open(
        [Values(JournalBackEnd.Write, JournalBackEnd.Uring)] JournalBackEnd backEnd, [Values(0, 2, 8, 20, 40)] int left) =>
        WriteWithFewAsync(backEnd, 256, left);

    private async Task WriteWithFewAsync(JournalBackEnd backEnd, int limit, int? left)
    {
        if (backEnd == JournalBackEnd.Uring)
        {
            Write("uring").Dispose();   // where it is not to be had at all, the test is left out
            Directory.Delete(_folder.Journal, recursive: true);
        }

        string[] more = left is { } number ? [FormattableString.Invariant($"{number}")] : [];
        WorkerStartOptions host = TestHost.Start(["journal", "few", _folder.Journal, backEnd.ToString(), .. more]);
        var lines = new ConcurrentQueue<string>();
        ChildProcess child = ChildProcess.Start(TestHost.WithDescriptors(limit, host).With(output: line => lines.Enqueue(line.Text)));
        ProcessExit end = await child.WaitForExitAsync().Within("the helper's end");
        string all = string.Join("\n", lines);
        TestContext.Out.WriteLine(all);
        Assert.That(left is null || end.ExitCode == (left < 40 ? Refused : 0), $"{end}\n{all}");
        if (end.ExitCode == Refused)
        {
            Assert.That(all, Does.Contain("descriptors").Or.Contain("many open files").IgnoreCase);
            Assert.That(left <= 4 || lines.Contains(nameof(JournalFault.TooFewDescriptors)), all);
            return;
        }

        Assert.That(end.ExitCode, Is.Zero, $"{end}\n{all}");
        Assert.That(Numbered.ReadAll(_folder.Journal).Count, Is.EqualTo(8000));
    }

    private static string[] Open() => [.. Directory.GetFileSystemEntries("/proc/self/fd").Select(Target)];

    private static string Target(string path)
    {
        byte[] target = new byte[4096];
        long count = (long)ReadLink(path, target, (UIntPtr)target.Length);
        return count < 0 ? path : System.Text.Encoding.UTF8.GetString(target, 0, (int)count);
    }

    [DllImport("libc", EntryPoint = "readlink")]
    private static extern IntPtr ReadLink(string path, byte[] target, UIntPtr size);

    private async Task Once(string kind)
    {
        switch (kind)
        {
            case "spill sender":
                await using (SpillingSender sender =
                    SpillingSender.Open(Path.Combine(_folder.Root, "spill"), (_, _) => Task.FromResult<SpillTarget?>(null), Small()))
                {
                    _ = sender.TrySendRaw(1024, [0xc0]);
                }

                return;
            case "refused":
                using (Write())
                {
                    Assert.Throws<JournalException>(() => PacketJournal.Open(Path.Combine(_folder.Root, "not there", "journal")));
                }

                return;
            case "damaged":
                Write().Dispose();
                using (var file = new FileStream(_folder.Segment(1), FileMode.Open))
                {
                    file.SetLength(100);
                }

                Assert.Throws<JournalException>(() => PacketJournal.Open(_folder.Journal));
                Directory.Delete(_folder.Journal, recursive: true);
                return;
        }

        await using (PacketJournal journal = Write(kind))
        {
            switch (kind)
            {
                case "reader":
                    using (var reader = JournalReader.Open(_folder.Journal))
                    {
                        _ = reader.ReadAll();
                    }

                    break;
                case "own reader":
                    using (JournalReader reader = journal.OpenReader())
                    {
                        _ = reader.ReadAll();
                    }

                    break;
                case "follower":
                    using (var reader = JournalReader.Open(_folder.Journal, new JournalReaderOptions
                    {
                        Follow = true, PollInterval = TimeSpan.FromMilliseconds(1),
                    }))
                    {
                        _ = reader.ReadAll();
                        Assert.That(await reader.WaitAsync(CancellationToken.None), Is.True);
                    }

                    break;
                case "verifier":
                    Assert.That(PacketJournal.Survey(_folder.Journal).Report.IsValid, Is.True);
                    break;
            }
        }

        if (kind == "compactor")
        {
            _ = PacketJournal.Compact(_folder.Journal, new JournalRetention { MaxBytes = 0 });
        }
    }

    private PacketJournal Write(string kind = "write")
    {
        PacketJournal journal;
        try
        {
            journal = PacketJournal.Open(_folder.Journal, new JournalOptions
            {
                SegmentBytes = 64 << 10,
                Sync = kind.EndsWith("second", StringComparison.Ordinal) ? JournalSync.EverySecond : JournalSync.GroupCommit,
                BackEnd = kind == "uring" ? JournalBackEnd.Uring : JournalBackEnd.Write,
                Retention = new JournalRetention { MaxBytes = 256 << 10 },
            });
        }
        catch (JournalException e) when (e.Fault == JournalFault.BackEndUnavailable)
        {
            Assert.Ignore(e.Message);
            throw;
        }

        for (int i = 1; i <= 5; i++)
        {
            journal.Append(i, 30_000);
        }

        return journal;
    }

    private static SpillOptions Small() => new() { Journal = new JournalOptions { SegmentBytes = 64 << 10 } };
}
