using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Files.Tests.Kit;
using Transport.Testing.Disks;
using Transport.Testing.Wires;
using static Transport.Files.Tests.Kit.Expect;

namespace Transport.Files.Tests.Conformance;

/// <summary>Failures of the system: one clear line, nothing published. Failures that pass by themselves are retried and counted.</summary>
internal sealed class FailureTests(FileSystemKind kind) : ConformanceTests(kind)
{
    [TestCase("create", Errno.AccessDenied, TransportFault.FileFailed, "create 'd/f3': permission denied (EACCES)")]
    [TestCase("create", Errno.NoSpace, TransportFault.FileDiskFull, "create 'd/f3': no space left")]
    [TestCase("write", Errno.NoSpace, TransportFault.FileDiskFull, "write 'd/f3': no space left")]
    [TestCase("write", 5, TransportFault.FileFailed, "write 'd/f3': the device failed (EIO)")]
    [TestCase("write", 116, TransportFault.FileFailed, "write 'd/f3': its server does not know it any more (ESTALE)")]
    [TestCase("write", 122, TransportFault.FileDiskFull, "write 'd/f3': the quota")]
    [TestCase("time", Errno.NotPermitted, TransportFault.FileFailed, "times 'd/f3': not permitted")]
    [TestCase("sync", 5, TransportFault.FileFailed, "sync 'd/f3': the device failed")]
    [TestCase("close", 5, TransportFault.FileFailed, "close 'd/f3': the device failed")]
    public async Task The_first_failure_is_the_error_and_nothing_is_published(string call, int errno, TransportFault fault, string text)
    {
        using var root = new TestRoot();
        var calls = new FaultyFileSystem(Kind, (word, name) => word == call && name == "f3" ? errno : 0);
        FileOutput output = FileOutput.Publish(
            root["tree"], new FileOutputOptions { FileSystem = calls.FileSystem, Writers = 1, Sync = FileSync.Data });
        await using (output)
        {
            for (int i = 0; i < 10; i++)
            {
                await WriteUnlessFailed(output, $"d/f{i}");
            }

            Assert.That(() => output.CompleteAsync().AsTask().Within("completion"), Refuses(fault, text));
            FileReceipt receipt = output.Receipt!;
            Assert.That(receipt.Failures.Single().Path, Is.EqualTo("d/f3"));
            Assert.That(((IOException)receipt.Failures[0].Cause).HResult, Is.EqualTo(errno));
            Assert.That(receipt.Files, Is.EqualTo(3));
            Assert.That(receipt.IsPublished, Is.False);
        }

        Assert.That(calls.Log, Has.None.EqualTo("create f5"), "nothing new is begun after a failure");
        Assert.That(root.Names(), Is.Empty);
    }

    [TestCase(0)]
    [TestCase(1)]
    public async Task Where_the_system_gives_no_threads_the_files_are_written_all_the_same(int threads)
    {
        // A limit of the user or the container, as the runtimes report it. The call threw that, and the output never ended.
        using var root = new TestRoot();
        int asked = 0;
        void Start(Thread thread)
        {
            if (Interlocked.Increment(ref asked) > threads)
            {
#pragma warning disable MA0012 // the runtimes throw this
                throw new OutOfMemoryException("no thread");
#pragma warning restore MA0012
            }

            thread.Start();
        }

        FileOutput output = FileOutput.Publish(root["tree"], On(new FileOutputOptions { Writers = 4, StartThread = Start }));
        output.Write("large", Content.Of(300_000));
        for (int i = 0; i < 50; i++)
        {
            await output.WriteAsync($"d/f{i}", Content.Of(i * 100)).AsTask().Within("a small file");
        }

        await output.WriteAsync("other", Content.Of(400_000)).AsTask().Within("a large file");
        FileReceipt receipt = await output.CompleteAsync().AsTask().Within("completion");
        Assert.That((receipt.Files, receipt.IsPublished), Is.EqualTo((52L, true)));
        Assert.That(File.ReadAllBytes(root["tree/d/f49"]), Is.EqualTo(Content.Of(4900)));
    }

    [TestCase("d/b")]
    [TestCase("d/e/b")]
    [TestCase("link")]
    public async Task A_directory_that_is_removed_meanwhile_is_named_as_that(string path)
    {
        if (path == "link")
        {
            Kind.RequiresLinks();
        }

        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On(new FileOutputOptions { Writers = 0 }));
        await using (output)
        {
            output.Write("d/a", Content.Of(3));
            Directory.Delete(root[root.Names().Single()], recursive: true);
            if (path == "link")
            {
                output.CreateSymbolicLink(path, "d");
            }
            else
            {
                output.Write(path, Content.Of(3));
            }

            string code = Kind == FileSystemKind.Unix ? " (ENOENT)" : string.Empty;
            string reason = "the directory that it is to be in was removed meanwhile" + code;
            Assert.That(() => output.CompleteAsync().AsTask(), Refuses(TransportFault.FileTreeChanged, reason));
        }

        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public async Task A_directory_that_cannot_be_made_fails_by_name()
    {
        using var root = new TestRoot();
        var calls = new FaultyFileSystem(Kind, (word, name) => word == "mkdir" && name == "deep" ? Errno.AccessDenied : 0);
        FileOutput output = FileOutput.Publish(root["tree"], new FileOutputOptions { FileSystem = calls.FileSystem });
        await using (output)
        {
            output.Write("a/deep/f", Content.Of(3));
            Assert.That(() => output.CompleteAsync().AsTask(), Refuses(TransportFault.FileFailed, "'a/deep/f': permission denied"));
        }

        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public async Task All_failures_of_writers_at_work_are_reported()
    {
        using var root = new TestRoot();
        using var both = new CountdownEvent(2);
        var calls = new FaultyFileSystem(Kind, (word, _) =>
        {
            if (word != "write")
            {
                return 0;
            }

            both.Signal();
            return both.Wait(WithinExtensions.Bound) ? Errno.NoSpace : 5;
        });
        FileOutput output = FileOutput.Publish(root["tree"], new FileOutputOptions { FileSystem = calls.FileSystem, Writers = 2 });
        await using (output)
        {
            output.Write("a/f", Content.Of(3));
            output.Write("b/f", Content.Of(3));
            Assert.That(() => output.CompleteAsync().AsTask().Within("completion"), Refuses(TransportFault.FileDiskFull, "/f'"));
            Assert.That(output.Receipt!.Failures.Select(f => f.Path), Is.EquivalentTo(new[] { "a/f", "b/f" }));
        }
    }

    [TestCase("create", Errno.Busy)]
    [TestCase("create", Errno.TextBusy)]
    [TestCase("mkdir", Errno.Busy)]
    [TestCase("symlink", Errno.Busy)]
    [TestCase("rename", Errno.TextBusy)]
    [TestCase("rename", Errno.Busy)]
    public async Task What_fails_for_a_moment_is_tried_again_and_counted(string call, int errno)
    {
        Kind.RequiresLinks();
        using var root = new TestRoot();
        var calls = FaultyFileSystem.First(Kind, call == "mkdir" ? 0 : 3, call, errno);
        FileOutput output = FileOutput.Publish(root["tree"], new FileOutputOptions { FileSystem = calls.FileSystem });
        if (call == "mkdir")
        {
            await output.DisposeAsync();
            int left = 3;
            var faulty = new FaultyFileSystem(Kind, (word, name) => word == call && name == "d" && left-- > 0 ? errno : 0);
            output = FileOutput.Publish(root["tree"], new FileOutputOptions { FileSystem = faulty.FileSystem });
        }

        await using (output)
        {
            output.Write("d/f", Content.Of(3));
            output.CreateSymbolicLink("d/l", "f");
            FileReceipt receipt = await output.CompleteAsync();
            Assert.That(receipt.Retries, Is.EqualTo(3));
            Assert.That(receipt.RetryTime, Is.GreaterThan(TimeSpan.Zero));
        }

        Assert.That(root.Tree("tree"), Is.EqualTo(new[] { "d", "d/f", "d/l" }));
    }

    [Test]
    public async Task What_never_passes_fails_when_its_time_is_over()
    {
        using var root = new TestRoot();
        var calls = FaultyFileSystem.First(Kind, int.MaxValue, "create", Errno.Busy);
        var options = new FileOutputOptions { FileSystem = calls.FileSystem, RetryFor = TimeSpan.FromMilliseconds(40) };
        FileOutput output = FileOutput.Publish(root["tree"], options);
        await using (output)
        {
            output.Write("f", Content.Of(3));
            Assert.That(() => output.CompleteAsync().AsTask().Within("completion"), Refuses(TransportFault.FileFailed, "busy (EBUSY)"));
            Assert.That(output.Receipt!.Retries, Is.EqualTo(3), "5 + 10 + 20 ms");
        }
    }

    [Test]
    public async Task Callers_wait_for_memory_and_the_budget_is_kept([Values] bool streams)
    {
        using var root = new TestRoot();
        using var gate = new ManualResetEventSlim();
        using var waits = new ManualResetEventSlim();
        const long Limit = 1 << 20;
        var calls = new FaultyFileSystem(Kind, (word, _) =>
        {
            if (word == "write")
            {
                waits.Set();
                gate.Wait(WithinExtensions.Bound);
            }

            return 0;
        });
        FileOutput output = FileOutput.Publish(root["tree"], new FileOutputOptions { FileSystem = calls.FileSystem, MemoryBudget = Limit });
        await using (output)
        {
            int handed = 0;
            Task caller = Task.Run(() =>
            {
                for (int i = 0; i < 2000; i++)
                {
                    if (streams)
                    {
                        output.Write($"d{i % 7}/f{i}", new MemoryStream(Content.Of(9000, i)));
                    }
                    else
                    {
                        output.Write($"d{i % 7}/f{i}", Content.Of(9000, i));
                    }

                    Volatile.Write(ref handed, i + 1);
                }
            });
            Assert.That(waits.Wait(WithinExtensions.Bound), Is.True);
            Assert.That(
                () => output.Progress.QueuedBytes,
                Is.GreaterThan(Limit / 2).After(90_000, 20),
                "the queue fills while writers stand still");
            Assert.That(Volatile.Read(ref handed), Is.LessThan(200), "and then the caller waits");
            gate.Set();
            await caller.Within("the caller");
            await output.CompleteAsync().AsTask().Within("completion");
            Assert.That(output.Budget.Most, Is.InRange(Limit / 2, Limit));
            Assert.That(output.Budget.Used, Is.Zero);
        }

        Assert.That(Directory.GetFiles(root["tree"], "*", SearchOption.AllDirectories), Has.Length.EqualTo(2000));
    }

    [Test]
    public async Task Who_waits_for_memory_hears_of_a_failure()
    {
        using var root = new TestRoot();
        using var gate = new ManualResetEventSlim();
        var calls = new FaultyFileSystem(Kind, (word, _) => word == "write" && gate.Wait(WithinExtensions.Bound) ? Errno.NoSpace : 0);
        FileOutput output = FileOutput.Publish(
            root["tree"], new FileOutputOptions { FileSystem = calls.FileSystem, MemoryBudget = 1 << 20 });
        await using (output)
        {
            Task caller = Task.Run(async () =>
            {
                for (int i = 0; i < 1000; i++)
                {
                    await output.WriteAsync($"f{i}", Content.Of(20_000));
                }
            });
            Assert.That(() => output.Progress.QueuedBytes, Is.GreaterThan(900_000).After(90_000, 20));
            gate.Set();
            Assert.That(() => caller.Within("the caller"), Refuses(TransportFault.FileDiskFull, "no space left"));
        }

        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public async Task A_wait_for_memory_can_be_cancelled_and_the_output_goes_on()
    {
        using var root = new TestRoot();
        using var gate = new ManualResetEventSlim();
        using var cancellation = new CancellationTokenSource();
        var calls = new FaultyFileSystem(Kind, (word, _) => word == "write" && !gate.Wait(WithinExtensions.Bound) ? 5 : 0);
        FileOutput output = FileOutput.Publish(
            root["tree"], new FileOutputOptions { FileSystem = calls.FileSystem, MemoryBudget = 1 << 20, Writers = 1 });
        await using (output)
        {
            Task last = Task.CompletedTask;
            int handed = -1;
            while (last.IsCompleted && handed < 100)
            {
                handed++;
                last = output.WriteAsync($"f{handed}", Content.Of(200_000), default, cancellation.Token).AsTask();
            }

            Assert.That(handed, Is.InRange(2, 8));
            cancellation.Cancel();
            Assert.That(() => last.Within("the wait"), Throws.InstanceOf<OperationCanceledException>());
            gate.Set();
            FileReceipt receipt = await output.CompleteAsync().AsTask().Within("completion");
            Assert.That(receipt.Files, Is.EqualTo(handed));
        }
    }

    [Test]
    public async Task The_mmap_writer_is_refused_where_blocks_cannot_be_reserved()
    {
        using var root = new TestRoot();
        var calls = FaultyFileSystem.First(Kind, 1, "reserve", Errno.NotSupported);
        FileOutput output = FileOutput.Publish(root["tree"], new FileOutputOptions { Io = FileIo.Mmap, FileSystem = calls.FileSystem });
        await using (output)
        {
            output.Write("f", Content.Of(5000));
            Assert.That(() => output.CompleteAsync().AsTask(), Kind == FileSystemKind.Unix
                ? Refuses(TransportFault.FileFailed, "cannot reserve blocks (fallocate), which the mmap writer needs; use stream")
                : Refuses(TransportFault.BadConfiguration, "the mmap writer needs blocks reserved before it maps them"));
        }
    }

    [Test]
    public async Task A_full_file_system_is_an_error_code_for_both_writers([Values(FileIo.Stream, FileIo.Mmap)] FileIo io)
    {
        if (io == FileIo.Mmap)
        {
            Kind.RequiresUnix("files are mapped on 64-bit Linux and Windows only");
        }

        using var root = new TestRoot();
        using SmallFileSystem small = await SmallFileSystem.MountAsync(root["small"], "size=4m");
        FileOutput output = FileOutput.Publish(Path.Combine(small.Path, "tree"), On(new FileOutputOptions { Io = io }));
        await using (output)
        {
            for (int i = 0; i < 100; i++)
            {
                await WriteUnlessFailed(output, $"d/f{i}", 100_000);
            }

            // Portable has the words of .NET.
            string reason = Kind == FileSystemKind.Unix ? "no space left on the file system (ENOSPC)" : "write 'd/f";
            Assert.That(() => output.CompleteAsync().AsTask().Within("completion"), Refuses(TransportFault.FileDiskFull, reason));
        }

        Assert.That(Directory.GetFileSystemEntries(small.Path), Is.Empty);
    }

    private static async Task WriteUnlessFailed(FileOutput output, string path, int length = 100)
    {
        try
        {
            await output.WriteAsync(path, Content.Of(length), new FileEntry { Modified = new FileTime(1) });
        }
        catch (TransportException)
        {
            // A later call throws the first failure; CompleteAsync throws it again.
        }
    }
}
