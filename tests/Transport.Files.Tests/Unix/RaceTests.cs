using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Files.Tests.Kit;
using Transport.Testing.Wires;

namespace Transport.Files.Tests.Unix;

/// <summary>
/// Somebody with the same rights replaces directories of the staging by links while it is filled. Nothing is ever written outside.
/// </summary>
internal sealed class RaceTests
{
    /// <summary>At each call that a path leads through, the directory is replaced right before it.</summary>
    [Test]
    public async Task A_directory_replaced_by_a_link_before_any_call_leads_nowhere(
        [Values("mkdir", "open", "create", "symlink", "beneath", "mode")] string call,
        [Values(1, 2, 3, 5, 8)] int at,
        [Values] bool evicts)
    {
        using var root = new TestRoot();
        Directory.CreateDirectory(root["outside/in"]);
        int count = 0;
        bool isReplaced = false;
        var calls = new FaultyCalls((word, name) =>
        {
            if (word == call && name.Length > 0 && name[0] is 'a' or 'i' or 'f' or 'l' && Interlocked.Increment(ref count) == at)
            {
                isReplaced = Replace(root, "a");
            }

            return 0;
        });
        FileOutput output = FileOutput.Publish(
            root["target"], new FileOutputOptions { FileSystem = new UnixFileSystem(calls), Writers = 1 });
        bool isPublished = false;
        await using (output)
        {
            try
            {
                output.Write("a/in/f1", Content.Of(3));
                for (int i = 0; evicts && i < 300; i++)
                {
                    output.Write($"x{i}/y/z", Content.Of(3));
                }

                output.Write("a/in/f2", Content.Of(3));
                output.CreateSymbolicLink("a/l", "x");
                output.CreateDirectory("a/i2", new FileEntry { Mode = Octal.Mode("700") });
                output.Write("a/f3", Content.Of(3));
                isPublished = (await output.CompleteAsync().AsTask().Within("completion")).IsPublished;
            }
            catch (TransportException refused)
            {
                Assert.That(
                    refused.Fault, Is.AnyOf(TransportFault.FileTreeChanged, TransportFault.FilePathRefused, TransportFault.FileExists));
            }
        }

        Assert.That(root.Tree("outside"), Is.EqualTo(new[] { "in" }));
        Assert.That(isPublished, Is.EqualTo(!isReplaced), "a tree in which somebody replaced a directory is not published");
    }

    [Test]
    public async Task A_thread_that_replaces_directories_all_the_time_gets_nothing_outside()
    {
        const int Rounds = 40;
        using var root = new TestRoot();
        Directory.CreateDirectory(root["outside"]);
        int replaced = 0, published = 0, refused = 0;
        using var stop = new CancellationTokenSource();
        Task attacker = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                for (int i = 0; i < 10; i++)
                {
                    replaced += Replace(root, $"d{i}") ? 1 : 0;
                }
            }
        });
        var began = System.Diagnostics.Stopwatch.StartNew();
        for (int round = 0; round < Rounds || (Volatile.Read(ref replaced) == 0 && began.Elapsed < WithinExtensions.Bound); round++)
        {
            FileOutput output = FileOutput.Publish(root["target"], new FileOutputOptions { Existing = ExistingTarget.Replace });
            await using (output)
            {
                try
                {
                    for (int i = 0; i < 200; i++)
                    {
                        output.Write($"d{i % 10}/in/f{i}", Content.Of(100));
                    }

                    await output.CompleteAsync().AsTask().Within("completion");
                    published++;
                }
                catch (TransportException)
                {
                    refused++;
                }
            }
        }

        stop.Cancel();
        await attacker.Within("the attacker");
        TestContext.Out.WriteLine($"{replaced} replaced, {published} published, {refused} refused");
        Assert.That(root.Tree("outside"), Is.Empty);
        Assert.That(replaced, Is.Positive, "the attacker never came in between");
    }

    /// <summary>Moves a directory of whatever staging there is away and puts a link in its place.</summary>
    private static bool Replace(TestRoot root, string name)
    {
        try
        {
            string? staging = Directory.GetDirectories(root.Path, ".target.*").FirstOrDefault();
            if (staging is null || !Directory.Exists(staging + "/target/" + name))
            {
                return false;
            }

            var calls = new UnixCalls();
            int fd = calls.Open(LinuxFlags.Here, staging + "/target", LinuxFlags.ReadOnly | LinuxFlags.Directory);
            bool isMoved = fd >= 0
                && calls.Rename(fd, name, fd, ".moved-" + name, LinuxFlags.NoReplace) >= 0
                && calls.MakeSymbolicLink(root["outside"], fd, name) >= 0;
            _ = calls.Close(fd);
            return isMoved;
        }
        catch (IOException)
        {
            return false; // the staging went away while it was looked at
        }
    }
}
