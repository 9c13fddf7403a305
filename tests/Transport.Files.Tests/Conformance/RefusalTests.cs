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

/// <summary>Refused paths and failed entries: an error with the path, nothing published, nothing left behind.</summary>
internal sealed class RefusalTests(FileSystemKind kind) : ConformanceTests(kind)
{
    [TestCase("", "empty")]
    [TestCase("/etc/x", "absolute")]
    [TestCase("..", "'..'")]
    [TestCase("a/../b", "'..'")]
    [TestCase("a/./b", "'.'")]
    [TestCase("a//b", "empty")]
    [TestCase("a/b/", "empty")]
    [TestCase("a/b\0c", "NUL")]
    public async Task A_path_that_may_not_be_used_is_refused_and_the_output_goes_on(string path, string why)
    {
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            Assert.That(() => output.Write(path, Content.Of(1)), Refuses(TransportFault.FilePathRefused, why));
            Assert.That(() => output.CreateSymbolicLink(path, "x"), Refuses(TransportFault.FilePathRefused, why));
            Assert.That(() => output.CreateHardLink(path, "x"), Refuses(TransportFault.FilePathRefused, why));
            output.Write("good", Content.Of(1));
            await output.CompleteAsync();
        }

        Assert.That(root.Tree("tree"), Is.EqualTo(new[] { "good" }));
    }

    [Test]
    public void A_path_or_source_that_is_null_is_the_callers_mistake()
    {
        Assert.That(() => FileOutput.Into(null!, On()), Throws.ArgumentNullException);
        Assert.That(() => FileOutput.Publish(null!, On()), Throws.ArgumentNullException);
        Assert.That(() => Publication.Begin(null!, On()), Throws.ArgumentNullException);
        Assert.That(() => FileOutput.PublishFileAsync("/tmp/x", (System.IO.Stream)null!), Throws.ArgumentNullException);
    }

    [TestCase("")]
    [TestCase("/tmp\0/evil")]
    public void A_path_that_is_none_is_refused_before_the_system_is_asked(string path)
    {
        // To the system a NUL ends a path: another directory would be written into.
        Assert.That(() => FileOutput.Into(path, On()), Refuses(TransportFault.FilePathRefused, "is empty or has a NUL in it"));
        Assert.That(() => FileOutput.Publish(path, On()), Refuses(TransportFault.FilePathRefused, "is empty or has a NUL in it"));
        Assert.That(() => Publication.Begin(path, On()), Refuses(TransportFault.FilePathRefused, "is empty or has a NUL in it"));
    }

    [TestCase(256)]
    [TestCase(5000)]
    public void A_target_whose_name_is_too_long_is_refused(int length)
    {
        using var root = new TestRoot();
        Assert.That(
            () => FileOutput.Publish(root[new string('n', length)], On()),
            Refuses(TransportFault.FilePathRefused, "nnn…', is longer than 255 bytes"));
        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public void Names_and_paths_are_measured_in_bytes()
    {
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        output.Write(new string('n', 255), Content.Of(1));
        Assert.That(() => output.Write(new string('n', 256), Content.Of(1)), Refuses(TransportFault.FilePathRefused, "255 bytes"));
        output.Write(new string('\u00E4', 127), Content.Of(1));
        Assert.That(() => output.Write(new string('\u00E4', 128), Content.Of(1)), Refuses(TransportFault.FilePathRefused, "255 bytes"));
        Assert.That(
            () => output.Write(string.Concat(Enumerable.Repeat("dir/", 1024)) + "f", Content.Of(1)),
            Refuses(TransportFault.FilePathRefused, "4095 bytes"));
        Assert.That(async () => await output.DisposeAsync(), Throws.Nothing);
        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public async Task A_very_deep_tree_is_made_and_given_up([Values] bool completes)
    {
        using var root = new TestRoot();
        string deep = string.Concat(Enumerable.Repeat("d/", 2000)) + "f";
        FileOutput output = FileOutput.Publish(root["tree"], On(new FileOutputOptions { Writers = 1 }));
        await using (output)
        {
            output.Write(deep, Content.Of(1));
            if (completes)
            {
                await output.CompleteAsync();
            }
        }

        Assert.That(root.Names(), Is.EqualTo(completes ? new[] { "tree" } : []));
    }

    [Test]
    public async Task A_path_through_a_link_of_the_output_is_refused()
    {
        Kind.RequiresLinks();
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            output.CreateSymbolicLink("a/link", root.Path);
            Assert.That(() => output.Write("a/link/f", Content.Of(1)), Refuses(TransportFault.FilePathRefused, "symbolic link 'a/link'"));
            Assert.That(() => output.CreateDirectory("a/link"), Refuses(TransportFault.FilePathRefused, "symbolic link 'a/link'"));
            Assert.That(() => output.CreateHardLink("x", "a/link/y/z"), Refuses(TransportFault.FilePathRefused, "no earlier entry"));
            Assert.That(() => output.CreateSymbolicLink("a", "x"), Refuses(TransportFault.FileExists, "is a directory"));
        }

        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public async Task A_path_through_a_link_that_was_there_is_refused()
    {
        using var root = new TestRoot();
        Directory.CreateDirectory(root["out"]);
        Directory.CreateDirectory(root["in"]);
        await MakeLink(root, "in/link", "../out");
        FileOutput output = FileOutput.Into(root["in"], On());
        await using (output)
        {
            output.Write("link/f", Content.Of(1));
            Assert.That(() => output.CompleteAsync().AsTask(), Refuses(TransportFault.FilePathRefused, "link"));
        }

        Assert.That(root.Tree("out"), Is.Empty);
    }

    [TestCase("f", "f")]
    [TestCase("d/f", "d/f/g")]
    [TestCase("d/f/g", "d/f")]
    public async Task Two_entries_of_one_path_fail(string first, string second)
    {
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            await output.WriteAsync(first, Content.Of(1));
            await output.WriteAsync(second, Content.Of(1));
            Assert.That(() => output.CompleteAsync().AsTask(), Refuses(TransportFault.FileExists, "already"));
            Assert.That(output.Receipt!.IsPublished, Is.False);
        }

        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public async Task A_symbolic_link_over_a_file_fails()
    {
        Kind.RequiresLinks();
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            await output.WriteAsync("d/f", Content.Of(1));
            output.CreateSymbolicLink("d/f", "x");
            Assert.That(() => output.CompleteAsync().AsTask(), Refuses(TransportFault.FileExists, "already"));
        }

        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public async Task A_source_that_fails_comes_back_as_it_is_and_nothing_is_published([Values] bool blocks)
    {
        using var root = new TestRoot();
        var cause = new InvalidDataException("bad\ncheck sum");
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            output.Write("good", Content.Of(1));
            var source = new Content.Dribble(Content.Of(500_000), 9999, cause);
            Exception? thrown = await Assert.CatchAsync(async () =>
            {
                if (blocks)
                {
                    output.Write("half", source);
                }
                else
                {
                    await output.WriteAsync("half", source);
                }
            });
            Assert.That(thrown, Is.SameAs(cause));
            Assert.That(
                () => output.Write("later", Content.Of(1)), Refuses(TransportFault.FileSourceFailed, "source 'half': bad\\u000acheck sum"));
            Assert.That(() => output.CompleteAsync().AsTask(), Refuses(TransportFault.FileSourceFailed, "half"));
        }

        Assert.That(root.Names(), Is.Empty);
    }

    [TestCase(999, "999 came")]
    [TestCase(1001, "more came")]
    [TestCase(400_000, "more came")]
    public async Task Another_length_than_announced_fails(int came, string why)
    {
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            Assert.That(
                () => output.Write("f", new MemoryStream(Content.Of(came)), new FileEntry { Length = 1000 }),
                Refuses(TransportFault.FileSourceFailed, why));
        }

        FileOutput pieces = FileOutput.Publish(root["tree"], On());
        await using (pieces)
        {
            using OutputFile file = pieces.Open("f", new FileEntry { Length = 1000 });
            Assert.That(
                () =>
                {
                    file.Write(Content.Of(came));
                    file.Complete();
                },
                Refuses(TransportFault.FileSourceFailed, why));
            file.Dispose();
            Assert.That(() => pieces.CompleteAsync().AsTask(), Refuses(TransportFault.FileSourceFailed, "f"));
        }

        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public async Task A_file_that_is_never_completed_fails_the_output([Values] bool isDisposed)
    {
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            OutputFile file = output.Open("half");
            await file.WriteAsync(Content.Of(200_000));
            if (isDisposed)
            {
                file.Dispose();
            }

            Assert.That(() => output.CompleteAsync().AsTask().Within("completion"), Refuses(TransportFault.FileSourceFailed, "'half'"));
            Assert.That(() => file.Write(Content.Of(1)), Throws.InstanceOf<ObjectDisposedException>());
        }

        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public async Task A_hard_link_to_nothing_fails()
    {
        Kind.RequiresUnix("hard links are refused elsewhere");
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            output.Write("d/f", Content.Of(1));
            output.CreateHardLink("l", "d/g");
            Assert.That(
                () => output.CompleteAsync().AsTask(),
                Refuses(TransportFault.FileFailed, "link 'l': no such file or directory (ENOENT): 'd/g'"));
        }

        Assert.That(root.Names(), Is.Empty);
    }

    [Test]
    public async Task What_is_given_up_or_cancelled_leaves_nothing([Values] bool cancels)
    {
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            output.Write("d/f", Content.Of(1));
            if (cancels)
            {
                using var cancelled = new CancellationTokenSource();
                cancelled.Cancel();
                Assert.That(() => output.CompleteAsync(cancelled.Token).AsTask(), Throws.InstanceOf<OperationCanceledException>());
            }
        }

        Assert.That(root.Names(), Is.Empty);
        Assert.That(() => output.Write("late", Content.Of(1)), Throws.InstanceOf<ObjectDisposedException>());
        Assert.That(() => output.CompleteAsync().AsTask(), Throws.InstanceOf<InvalidOperationException>());
    }

    [TestCase(4)]
    [TestCase(6)]
    public async Task Another_length_than_announced_is_reported_with_the_path_where_it_happens(int length)
    {
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            string expected = $"source 'd/f': 5 bytes were announced, and {(length < 5 ? "4" : "more")} came.";
            var entry = new FileEntry { Length = 5 };
            Assert.That(
                () => output.WriteAsync("d/f", new MemoryStream(new byte[length]), entry).AsTask(),
                Refuses(TransportFault.FileSourceFailed, expected));
            Assert.That(() => output.CompleteAsync().AsTask(), Refuses(TransportFault.FileSourceFailed, expected));
        }

        FileOutput pieces = FileOutput.Publish(root["tree"], On());
        await using (pieces)
        {
            OutputFile file = pieces.Open("d/f", new FileEntry { Length = 5 });
            string came = length < 5 ? "4" : "more";
            string expected = $"source 'd/f': 5 bytes were announced, and {came} came.";
            Assert.That(() => Fill(file, length), Refuses(TransportFault.FileSourceFailed, expected));
            Assert.That(() => Fill(file, 1), Throws.InstanceOf<TransportException>().Or.InstanceOf<ObjectDisposedException>());
        }

        Assert.That(root.Names(), Is.Empty);

        static void Fill(OutputFile file, int length)
        {
            file.Write(new byte[length]);
            file.Complete();
        }
    }

    [Test]
    public async Task Numbers_that_no_file_has_are_refused_and_the_output_goes_on()
    {
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            Assert.That(() => output.Open("f", new FileEntry { Length = -1 }), Throws.InstanceOf<ArgumentOutOfRangeException>());
            Assert.That(
                () => output.WriteAsync("f", Stream.Null, new FileEntry { Length = -1 }).AsTask(),
                Throws.InstanceOf<ArgumentOutOfRangeException>());
            Assert.That(
                () => output.Write("f", Content.Of(1), new FileEntry { Modified = new FileTime(1, 1_000_000_000) }),
                Throws.InstanceOf<ArgumentOutOfRangeException>());
            Assert.That(
                () => output.CreateDirectory("f", new FileEntry { Modified = new FileTime(1, -1) }),
                Throws.InstanceOf<ArgumentOutOfRangeException>());
            Assert.That(() => output.CreateSymbolicLink("f", "t", new FileTime(1, -1)), Throws.InstanceOf<ArgumentOutOfRangeException>());
            output.Write("f", Content.Of(1), new FileEntry { Length = -1 });   // ignored: the bytes are there
            await output.CompleteAsync();
        }

        Assert.That(root.Tree("tree"), Is.EqualTo(new[] { "f" }));
    }

    [Test]
    public async Task Nothing_can_be_handed_over_afterwards()
    {
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            await output.CompleteAsync();
            Assert.That(() => output.Write("late", Content.Of(1)), Throws.InstanceOf<ObjectDisposedException>());
            Assert.That(() => output.CreateDirectory("late"), Throws.InstanceOf<ObjectDisposedException>());
        }

        Assert.That(root.Tree("tree"), Is.Empty);
    }

    [Test]
    public void Options_out_of_range_are_reported_together()
    {
        var options = On(new FileOutputOptions
        {
            Writers = 65,
            MemoryBudget = 1,
            Io = (FileIo)9,
            Sync = (FileSync)9,
            Existing = (ExistingTarget)9,
            RetryFor = TimeSpan.FromHours(1),
        });
        string? message = Assert.Throws<ArgumentException>(() => FileOutput.Publish("x", options))?.Message;
        string[] expected = ["Writers = 65", "MemoryBudget = 1", "Io = 9", "Sync = 9", "Existing = 9", "RetryFor"];
        Assert.That(expected.All(message!.Contains), Is.True, message);
    }
}
