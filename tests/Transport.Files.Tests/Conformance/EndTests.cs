using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Files.Tests.Kit;
using Transport.Testing.Wires;
using static Transport.Files.Tests.Kit.Expect;

namespace Transport.Files.Tests.Conformance;

/// <summary>
/// The end of an output from any thread at any moment: nobody waits forever, and the receipt is true.
/// </summary>
internal sealed class EndTests(FileSystemKind kind) : ConformanceTests(kind)
{
    [Test]
    public async Task Cancelled_when_it_is_published_it_has_succeeded()
    {
        using var root = new TestRoot();
        using var cancel = new CancellationTokenSource();
        var calls = new FaultyFileSystem(Kind, (word, name) =>
        {
            if (word.StartsWith("rename", StringComparison.Ordinal) && name == "tree")
            {
                cancel.Cancel();   // too late to count
            }

            return 0;
        });
        FileOutput output = FileOutput.Publish(root["tree"], new FileOutputOptions { FileSystem = calls.FileSystem });
        await using (output)
        {
            output.Write("a", Content.Of(3));
            FileReceipt receipt = await output.CompleteAsync(cancel.Token).AsTask().Within("completion");
            Assert.That((receipt.IsPublished, receipt.Failures.Count, cancel.IsCancellationRequested), Is.EqualTo((true, 0, true)));
        }

        Assert.That(root.Names(), Is.EqualTo(new[] { "tree" }));
    }

    [Test]
    public async Task A_name_that_cannot_be_synced_is_reported_and_stands_there()
    {
        using var root = new TestRoot();
        string parent = Path.GetFileName(root.Path);
        var calls = new FaultyFileSystem(Kind, (word, name) => word == "sync" && name.EndsWith(parent, StringComparison.Ordinal) ? 5 : 0);
        FileOutput output = FileOutput.Publish(root["tree"], new FileOutputOptions { FileSystem = calls.FileSystem, Sync = FileSync.All });
        await using (output)
        {
            output.Write("a", Content.Of(3));
            const string Reason =
                "it stands there, and may not after a power cut, because its name could not be synced: the device failed (EIO)";
            Assert.That(() => output.CompleteAsync().AsTask(), Refuses(TransportFault.FileFailed, Reason));
            Assert.That((output.Receipt!.IsPublished, output.Receipt.Failures.Count), Is.EqualTo((true, 1)));
        }

        Assert.That(root.Tree("tree"), Is.EqualTo(new[] { "a" }));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_source_that_never_gives_anything_holds_no_end_up(bool fails)
    {
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        var never = new Never();
        using var unused = new CancellationTokenSource();
        Task[] writes =
        [
            output.WriteAsync("a", never).AsTask(),
            output.WriteAsync("b", new Never(), cancellationToken: unused.Token).AsTask(),
        ];
        await never.Asked.Task.Within("it is read from");
        if (fails)
        {
            Assert.That(
                async () => await output.WriteAsync("c", new Content.Dribble([], 1, new IOException("it broke"))),
                Throws.TypeOf<IOException>());
            Assert.That(
                () => output.CompleteAsync().AsTask().Within("completion"),
                Refuses(TransportFault.FileSourceFailed, "source 'c': it broke"));
        }

        await output.DisposeAsync().AsTask().Within("the end");
        foreach (Task write in writes)
        {
            string reason = fails ? "source 'c': it broke" : "given up before it was complete";
            Assert.That(() => write.Within("the caller"), Throws.TypeOf<TransportException>().With.Message.Contains(reason));
        }

        Assert.That(root.Names(), Is.Empty);
    }

    [TestCase(-1)]
    [TestCase(int.MaxValue)]
    public async Task A_stream_that_lies_about_what_it_read_is_its_own_failure(int says)
    {
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            string reason = $"says that it has read {says} bytes";
            Assert.That(
                async () => await output.WriteAsync("a", new Liar(says)), Throws.TypeOf<IOException>().With.Message.Contains(reason));
            Assert.That(() => output.CompleteAsync().AsTask(), Refuses(TransportFault.FileSourceFailed, "source 'a'"));
        }
    }

    [Test]
    public async Task Disposed_while_others_write_piece_by_piece_each_of_them_is_reported()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        using var root = new TestRoot();
        for (int round = 0; round < 40; round++)
        {
            FileOutput output = FileOutput.Publish(root["tree"], On(new FileOutputOptions { MemoryBudget = 1 << 20 }));
            using var begun = new CountdownEvent(4);
            Task<Exception?>[] writers = [.. Enumerable.Range(0, 4).Select(i => Task.Run(() => Write(output, i, begun)))];
            begun.Wait(TimeSpan.FromSeconds(90));
            for (int spin = random.Next(20_000); spin > 0; spin--)
            {
                _ = Environment.ProcessorCount;
            }

            await output.DisposeAsync().AsTask().Within("the end");
            foreach (Exception? reported in await Task.WhenAll(writers).Within("the writers"))
            {
                Assert.That(reported, Is.InstanceOf<TransportException>().Or.InstanceOf<ObjectDisposedException>());
            }

            Assert.That(root.Names(), Is.Empty);
        }
    }

    [Test]
    public async Task A_file_is_for_one_caller_at_a_time()
    {
        using var root = new TestRoot();
        using var held = new ManualResetEventSlim();
        var calls = new FaultyFileSystem(Kind, (word, _) =>
        {
            if (word == "write")
            {
                held.Wait(TimeSpan.FromSeconds(90));
            }

            return 0;
        });
        FileOutput output = FileOutput.Publish(
            root["tree"], new FileOutputOptions { FileSystem = calls.FileSystem, MemoryBudget = 1 << 20, Writers = 1 });
        await using (output)
        {
            OutputFile file = output.Open("a");
            Task first = file.WriteAsync(Content.Of(4 << 20)).AsTask();
            Assert.That(() => file.Write(new byte[1]), Throws.InvalidOperationException.With.Message.Contains("'a' is in another call"));
            held.Set();
            await first.Within("the first");
            file.Complete();
            Assert.That(() => file.Write(new byte[1]), Throws.TypeOf<ObjectDisposedException>());
            await output.CompleteAsync();
        }

        Assert.That(File.ReadAllBytes(root["tree/a"]), Is.EqualTo(Content.Of(4 << 20)));
    }

    [Test]
    public async Task Nothing_is_taken_once_all_is_over()
    {
        var state = new OutputState();
        state.Begin();
        Assert.That((state.TryClose(), state.TryClose()), Is.EqualTo((true, false)));
        Task idle = state.WaitIdleAsync();
        Assert.That(idle.IsCompleted, Is.False);
        state.End();
        await idle.Within("the end");
        for (int i = 0; i < 3; i++)
        {
            Assert.That(state.Begin, Throws.TypeOf<ObjectDisposedException>());
        }
    }

    private static Exception? Write(FileOutput output, int number, CountdownEvent begun)
    {
        try
        {
            byte[] piece = Content.Of(50_000);
            OutputFile file = output.Open($"d/{number}");
            for (int i = 0; ; i++)
            {
                file.Write(piece);
                if (i == 0)
                {
                    begun.Signal();
                }
            }
        }
        catch (Exception reported)
        {
            return reported;
        }
    }

    /// <summary>A silent network.</summary>
    private sealed class Never : MemoryStream
    {
        public TaskCompletionSource<bool> Asked { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public override async Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        {
            Asked.TrySetResult(true);
            var over = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
            using (cancellationToken.Register(() => over.TrySetCanceled()))
            {
                return await over.Task;
            }
        }
    }

    private sealed class Liar(int says) : MemoryStream
    {
        public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            Task.FromResult(says);
    }
}
