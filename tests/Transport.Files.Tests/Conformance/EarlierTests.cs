using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Files.Tests.Kit;
using static Transport.Files.Tests.Kit.Expect;

namespace Transport.Files.Tests.Conformance;

/// <summary>An unchanged file is taken over from an earlier tree; a file that differs is written.</summary>
[Platform(Include = "Linux")]
internal sealed class EarlierTests(FileSystemKind kind) : ConformanceTests(kind)
{
    private static readonly FileTime Time = new(1_000_000_000, 700);
    private static readonly int Mode = Octal.Mode("640");

    [Test]
    public async Task A_file_that_is_the_same_is_taken_over_and_nothing_is_shared([Values(0, 1, 300_000)] int length, [Values] bool syncs)
    {
        Kind.RequiresUnix("a file is taken over by a hard link");
        using var root = new TestRoot();
        await PublishAsync(root, On(), earlier: null, Content.Of(length));
        UnixStatus before = root.Look("tree/a/f");
        FileReceipt receipt = await PublishAsync(root, Replacing(root, syncs ? FileSync.All : FileSync.None), "a/f", Content.Of(length));

        Assert.That(root.Look("tree/a/f"), Is.EqualTo(before), "the same file, with one name");
        Assert.That(File.ReadAllBytes(root["tree/a/f"]), Is.EqualTo(Content.Of(length)));
        Assert.That((receipt.Files, receipt.Reused, receipt.Bytes, receipt.IsPublished), Is.EqualTo((1L, 1L, 0L, true)));
        Assert.That(root.Names(), Is.EqualTo(new[] { "tree" }));
    }

    [TestCase("first byte")]
    [TestCase("last byte")]
    [TestCase("shorter")]
    [TestCase("longer")]
    [TestCase("mode")]
    [TestCase("time")]
    [TestCase("no time")]
    [TestCase("times are not set")]
    [TestCase("another length is announced")]
    [TestCase("it has two names")]
    [TestCase("no such path")]
    [TestCase("out of it")]
    [TestCase("a link")]
    [TestCase("through a link")]
    [TestCase("a folder")]
    [TestCase("a pipe")]
    [TestCase("a NUL")]
    [TestCase("it cannot be linked")]
    [TestCase("openat2 is missing")]
    [TestCase("nothing")]
    public async Task What_differs_is_written(string what)
    {
        using var root = new TestRoot();
        byte[] old = Content.Of(300_000), now = Content.Of(300_000);
        await PublishAsync(root, On(), earlier: null, old);
        UnixStatus before = root.Look("tree/a/f");
        FileOutputOptions options = Replacing(root, FileSync.None);
        var entry = new FileEntry { Mode = Mode, Modified = Time, Baseline = "a/f" };
        switch (what)
        {
            case "first byte":
                now[0]++;
                break;
            case "last byte":
                now[now.Length - 1]++;
                break;
            case "shorter":
                now = now.Take(299_999).ToArray();
                break;
            case "longer":
                now = [.. now, 1];
                break;
            case "mode":
                entry = entry with { Mode = Octal.Mode("600") };
                break;
            case "time":
                int later = Kind == FileSystemKind.Unix ? 1 : 1_000_000;
                entry = entry with { Modified = new FileTime(Time.Seconds, Time.Nanoseconds + later) };
                break;
            case "no time":
                entry = entry with { Modified = null };
                break;
            case "times are not set":
                options.SetTimes = false;
                break;
            case "another length is announced":
                now = now.Take(200_000).ToArray();
                entry = entry with { Length = 200_000 };
                break;
            case "it has two names":
                Run("ln", root["tree/a/f"], root["kept"]);
                break;
            case "no such path":
                entry = entry with { Baseline = "a/g" };
                break;
            case "out of it":
                File.Move(root["tree/a/f"], root["f"]);
                entry = entry with { Baseline = "../f" };
                break;
            case "a link":
                Run("ln", "-s", "f", root["tree/a/link"]);
                entry = entry with { Baseline = "a/link" };
                break;
            case "through a link":
                Run("ln", "-s", "a", root["tree/b"]);
                entry = entry with { Baseline = "b/f" };
                break;
            case "a folder":
                entry = entry with { Baseline = "a" };
                break;
            case "a pipe":
                Run("mkfifo", root["tree/pipe"]);
                entry = entry with { Baseline = "pipe" };
                break;
            case "a NUL":
                entry = entry with { Baseline = "a/f\0" };
                break;
            case "it cannot be linked":
                Kind.RequiresUnix("Portable links nothing");
                options.FileSystem = new UnixFileSystem(FaultyCalls.First(1, "linkopen", Errno.OtherDevice));
                break;
            case "openat2 is missing":
                Kind.RequiresUnix("Portable opens nothing");
                options.FileSystem = new UnixFileSystem(new FaultyCalls((word, _) => word == "beneath" ? Errno.NoCall : 0));
                break;
            default:
                if (Kind == FileSystemKind.Unix)
                {
                    Assert.Ignore("only on Portable: on Unix what is the same is taken over");
                }

                break;
        }

        FileReceipt receipt = await PublishAsync(root, options, entry, now);
        Assert.That(File.ReadAllBytes(root["tree/a/f"]), Is.EqualTo(now));
        UnixStatus written = root.Look("tree/a/f");
        Assert.That(written.IsSameAs(before), Is.False, "another file");
        Assert.That((receipt.Files, receipt.Reused, receipt.Bytes), Is.EqualTo((1L, 0L, now.LongLength)));
        Assert.That(Kind == FileSystemKind.Portable || written.Permissions == (entry.Mode & ~Umask.Read()), Is.True);
        Assert.That(written.Modified == Kind.Kept(Time), Is.EqualTo(what is not ("time" or "no time" or "times are not set")));
    }

    [Test]
    public async Task One_that_is_changed_while_it_is_compared_ends_the_output([Values] bool isSame)
    {
        Kind.RequiresUnix("Portable compares nothing");
        using var root = new TestRoot();
        byte[] bytes = Content.Of(300_000);
        await PublishAsync(root, On(), earlier: null, bytes);
        FileOutput output = FileOutput.Publish(root["tree"], Replacing(root, FileSync.None));
        await using (output)
        {
            OutputFile file = output.Open("a/f", new FileEntry { Mode = Mode, Modified = Time, Baseline = "a/f" });
            file.Write(bytes.AsMemory(0, 200_000));
            using (FileStream other = File.OpenWrite(root["tree/a/f"]))
            {
                other.WriteByte(1);
            }

            Assert.That(
                () =>
                {
                    file.Write(isSame ? bytes.AsMemory(200_000) : new byte[100_000]);
                    file.Complete();
                },
                Refuses(TransportFault.FileTreeChanged, "changed while it was compared"));
            Assert.That(() => output.CompleteAsync().AsTask(), Refuses(TransportFault.FileTreeChanged, "changed while it was compared"));
        }

        byte[] edited = File.ReadAllBytes(root["tree/a/f"]);
        Assert.That(edited[0], Is.EqualTo(1), "the edit stands, and nothing was published");
        Assert.That(root.Names(), Is.EqualTo(new[] { "tree" }));
    }

    [Test]
    public async Task Given_up_nothing_of_it_is_left()
    {
        using var root = new TestRoot();
        byte[] bytes = Content.Of(300_000);
        await PublishAsync(root, On(), earlier: null, bytes);
        UnixStatus before = root.Look("tree/a/f");
        FileOutput output = FileOutput.Publish(root["tree"], Replacing(root, FileSync.None));
        await using (output)
        {
            var entry = new FileEntry { Mode = Mode, Modified = Time, Baseline = "a/f" };
            using (OutputFile whole = output.Open("a/f", entry))
            {
                whole.Write(bytes);
                whole.Complete();
            }

            output.Open("a/half", entry).Write(bytes.AsMemory(0, 10));
        }

        Assert.That(root.Look("tree/a/f"), Is.EqualTo(before));
        Assert.That(root.Names(), Is.EqualTo(new[] { "tree" }));
    }

    private FileOutputOptions Replacing(TestRoot root, FileSync sync) =>
        On(new FileOutputOptions { Existing = ExistingTarget.Replace, Baseline = root["tree"], Sync = sync });

    private static Task<FileReceipt> PublishAsync(TestRoot root, FileOutputOptions options, string? earlier, byte[] bytes) =>
        PublishAsync(root, options, new FileEntry { Mode = Mode, Modified = Time, Baseline = earlier }, bytes);

    /// <summary>Publishes one file, in pieces.</summary>
    private static async Task<FileReceipt> PublishAsync(TestRoot root, FileOutputOptions options, FileEntry entry, byte[] bytes)
    {
        FileOutput output = FileOutput.Publish(root["tree"], options);
        await using (output)
        {
            using (OutputFile file = output.Open("a/f", entry))
            {
                for (int at = 0; at < bytes.Length; at += 70_000)
                {
                    await file.WriteAsync(bytes.AsMemory(at, Math.Min(70_000, bytes.Length - at)));
                }

                file.Complete();
            }

            return await output.CompleteAsync();
        }
    }

    private static void Run(string program, params string[] words)
    {
        using Process? run = Process.Start(new ProcessStartInfo(program, string.Join(" ", words)) { UseShellExecute = false });
        run!.WaitForExit();
        Assert.That(run.ExitCode, Is.Zero, program);
    }
}
