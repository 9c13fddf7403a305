using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Files.Tests.Kit;
using Transport.Testing.Wires;

namespace Transport.Files.Tests.Conformance;

/// <summary>Entries have the bytes, modes, times and links they were given.</summary>
internal sealed class EntryTests(FileSystemKind kind) : ConformanceTests(kind)
{
    private static readonly int[] Sizes = [0, 1, 2048, 4096, (128 << 10) - 1, 128 << 10, (256 << 10) + 1, 3_000_000];
    private static readonly FileTime Time = new(1_234_567_890, 987_654_321);
    private static readonly int Umask = Transport.Files.Umask.Read();

    [Test]
    public async Task Files_have_their_bytes_modes_and_times(
        [Values(0, 1, 4)] int writers,
        [Values(FileIo.Stream, FileIo.Mmap)] FileIo io,
        [Values("bytes", "blocking", "stream", "dribble", "pieces")] string way)
    {
        if (io == FileIo.Mmap)
        {
            Kind.RequiresUnix("blocks are reserved for mappings on 64-bit Linux and Windows only");
        }

        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(
            root["tree"], On(new FileOutputOptions { Writers = writers, Io = io, MemoryBudget = 1 << 20 }));
        await using (output)
        {
            foreach (int size in Sizes)
            {
                await Write(output, $"a/b{size % 3}/f{size}", Content.Of(size, size), way).Within(way);
            }

            FileReceipt receipt = await output.CompleteAsync().AsTask().Within("completion");
            Assert.That(receipt.Files, Is.EqualTo(Sizes.Length));
            Assert.That(receipt.Bytes, Is.EqualTo(Sizes.Sum()));
            Assert.That(receipt.IsPublished, Is.True);
            Assert.That(receipt.Failures, Is.Empty);
        }

        foreach (int size in Sizes)
        {
            string path = $"tree/a/b{size % 3}/f{size}";
            Assert.That(File.ReadAllBytes(root[path]).AsSpan().SequenceEqual(Content.Of(size, size)), Is.True, path);
            Assert.That(root.Look(path).Modified, Is.EqualTo(Kind.Kept(Time)));
            Assert.That(Kind == FileSystemKind.Portable || root.Look(path).Permissions == (Octal.Mode("750") & ~Umask), Is.True);
        }

        Assert.That(root.Names(), Is.EqualTo(new[] { "tree" }));
    }

    [TestCase("600", "600")]
    [TestCase("444", "444")]
    [TestCase("0", "0")]
    [TestCase("4755", "755")]
    [TestCase("7777", "777")]
    [TestCase(null, "666")]
    public async Task A_file_is_made_with_its_mode_under_the_umask(string? mode, string expected)
    {
        Kind.RequiresUnix("modes are the system's elsewhere");
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            output.Write("f", Content.Of(10), new FileEntry { Mode = mode is null ? null : Octal.Mode(mode) });
            await output.CompleteAsync();
        }

        Assert.That(Octal.Of(root.Look("tree/f").Permissions), Is.EqualTo(Octal.Of(Octal.Mode(expected) & ~Umask)));
    }

    [Test]
    public async Task Directories_get_mode_and_time_after_their_last_entry([Values(0, 3)] int writers)
    {
        Kind.RequiresUnix("modes are the system's elsewhere");
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On(new FileOutputOptions { Writers = writers }));
        await using (output)
        {
            output.CreateDirectory(".", new FileEntry { Mode = Octal.Mode("555"), Modified = Time });
            output.CreateDirectory("sealed", new FileEntry { Mode = Octal.Mode("500"), Modified = Time });
            output.CreateDirectory("empty/");
            output.Write("sealed/in/f", Content.Of(5));
            output.Write("implied/f", Content.Of(5));
            output.CreateDirectory("implied", new FileEntry { Mode = Octal.Mode("711") });
            output.CreateDirectory("implied", new FileEntry { Mode = Octal.Mode("701"), Modified = new FileTime(-5, 7) });
            FileReceipt receipt = await output.CompleteAsync();
            Assert.That(receipt.Directories, Is.EqualTo(4));
        }

        Assert.That(Mode(root, "tree"), Is.EqualTo(Masked("555")));
        Assert.That(root.Look("tree").Modified, Is.EqualTo(Time));
        Assert.That(Mode(root, "tree/sealed"), Is.EqualTo(Masked("500")));
        Assert.That(root.Look("tree/sealed").Modified, Is.EqualTo(Time));
        Assert.That(Mode(root, "tree/sealed/in"), Is.EqualTo(Masked("755")));
        Assert.That(Mode(root, "tree/empty"), Is.EqualTo(Masked("777")));
        Assert.That(Mode(root, "tree/implied"), Is.EqualTo(Masked("701")));
        Assert.That(root.Look("tree/implied").Modified, Is.EqualTo(new FileTime(-5, 7)));
        Assert.That(File.Exists(root["tree/sealed/in/f"]), Is.True);
    }

    [Test]
    public async Task Times_are_left_alone_where_they_are_not_wanted()
    {
        Kind.RequiresLinks();
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On(new FileOutputOptions { SetTimes = false }));
        await using (output)
        {
            output.CreateDirectory("d", new FileEntry { Modified = Time });
            output.Write("d/f", Content.Of(5), new FileEntry { Modified = Time });
            output.CreateSymbolicLink("l", "d", Time);
            await output.CompleteAsync();
        }

        Assert.That(new[] { "tree/d", "tree/d/f", "tree/l" }.Select(p => root.Look(p).Modified), Has.None.EqualTo(Time));
    }

    [Test]
    public async Task Symbolic_links_hold_their_target()
    {
        Kind.RequiresLinks();
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            output.CreateSymbolicLink("d/away", "../../../nowhere/at all");
            output.CreateSymbolicLink("near", "d");
            Assert.That((await output.CompleteAsync()).Links, Is.EqualTo(2));
        }

        UnixStatus link = root.Look("tree/d/away");
        Assert.That((link.IsLink, link.Size), Is.EqualTo((true, (long)"../../../nowhere/at all".Length)));
        Assert.That(root.Look("tree/near").IsLink, Is.True);
    }

    [Test]
    public async Task Links_are_made()
    {
        Kind.RequiresUnix("Portable refuses hard links, and the time of a link is the system's");
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            output.CreateSymbolicLink("d/away", "../../../nowhere/at all", Time);
            output.Write("d/f", Content.Of(500));
            output.CreateHardLink("e/also", "d/f");
            output.CreateHardLink("e/third", "e/also");
            output.CreateHardLink("e/away", "d/away");
            FileReceipt receipt = await output.CompleteAsync();
            Assert.That((receipt.Files, receipt.Links), Is.EqualTo((1L, 4L)));
        }

        UnixStatus file = root.Look("tree/d/f"), link = root.Look("tree/d/away");
        Assert.That(root.Look("tree/e/also").IsSameAs(file) && root.Look("tree/e/third").IsSameAs(file), Is.True);
        Assert.That(link.IsLink && link.Modified == Time && root.Look("tree/e/away").IsSameAs(link), Is.True);
        Assert.That(link.Size, Is.EqualTo("../../../nowhere/at all".Length));
    }

    [Test]
    public async Task Names_that_are_no_UTF8_come_out_as_they_came_in()
    {
        Kind.RequiresUnix(".NET has no such names in paths");
        using var root = new TestRoot();
        string name = EntryName.FromBytes([(byte)'n', 0xE9, 0xFF, (byte)'\\', 0xC3, 0xA4]);
        Assert.That(name, Is.EqualTo("n\uDCE9\uDCFF\\\u00E4"));
        FileOutput output = FileOutput.Publish(root["tree"], On());
        await using (output)
        {
            output.Write("d/" + name, Content.Of(5));
            output.Write(name + "/f", Content.Of(5));
            output.CreateSymbolicLink("l", name);
            await output.CompleteAsync();
        }

        Assert.That(root.Tree("tree"), Is.EqualTo(new[] { "d", "d/" + name, "l", name, name + "/f" }));
        Assert.That(root.Look("tree/l").Size, Is.EqualTo(6));
    }

    [Test]
    public async Task An_output_into_a_directory_adds_to_what_is_there()
    {
        using var root = new TestRoot();
        Directory.CreateDirectory(root["old/sub"]);
        File.WriteAllText(root["old/sub/kept"], "kept");
        FileOutput output = FileOutput.Into(root["old"], On());
        await using (output)
        {
            output.Write("sub/new", Content.Of(5));
            output.Write("more/new", Content.Of(5));
            FileReceipt receipt = await output.CompleteAsync();
            Assert.That((receipt.Files, receipt.Directories, receipt.IsPublished), Is.EqualTo((2L, 1L, true)));
        }

        Assert.That(root.Tree("old"), Is.EqualTo(new[] { "more", "more/new", "sub", "sub/kept", "sub/new" }));
    }

    [Test]
    public async Task Many_files_may_be_open_at_once_with_one_writer_and_little_memory()
    {
        using var root = new TestRoot();
        const int Files = 100, Pieces = 40;
        FileOutput output = FileOutput.Publish(root["tree"], On(new FileOutputOptions { Writers = 1, MemoryBudget = 1 << 20 }));
        await using (output)
        {
            Task[] all = [.. Enumerable.Range(0, Files).Select(i => Task.Run(async () =>
            {
                using OutputFile file = output.Open($"f{i}");
                for (int piece = 0; piece < Pieces; piece++)
                {
                    await file.WriteAsync(Content.Of(5000, (i * Pieces) + piece));
                }

                file.Complete();
            }))];
            await Task.WhenAll(all).Within("all files");
            await output.CompleteAsync().AsTask().Within("completion");
        }

        for (int i = 0; i < Files; i += 7)
        {
            byte[] expected = [.. Enumerable.Range(0, Pieces).SelectMany(piece => Content.Of(5000, (i * Pieces) + piece))];
            Assert.That(File.ReadAllBytes(root[$"tree/f{i}"]).AsSpan().SequenceEqual(expected), Is.True);
        }
    }

    /// <summary>In a publication, a directory that is created twice is an error.</summary>
    [Test]
    public async Task A_directory_that_many_writers_need_at_once_is_created_once()
    {
        using var root = new TestRoot();
        const int Folders = 200, Writers = 8;
        FileOutput output = FileOutput.Publish(root["tree"], On(new FileOutputOptions { Writers = Writers }));
        await using (output)
        {
            using var together = new Barrier(Writers);
            Task[] callers = [.. Enumerable.Range(0, Writers).Select(i => Task.Factory.StartNew(
                () =>
                {
                    for (int folder = 0; folder < Folders && together.SignalAndWait(WithinExtensions.Bound); folder++)
                    {
                        output.Write($"d{folder}/e/f{i}", Content.Of(3));
                    }
                },
                TaskCreationOptions.LongRunning))];
            await Task.WhenAll(callers).Within("the callers");
            FileReceipt receipt = await output.CompleteAsync().AsTask().Within("completion");
            Assert.That((receipt.Directories, receipt.Files), Is.EqualTo((2L * Folders, (long)Writers * Folders)));
        }
    }

    [Test]
    public async Task Many_directories_need_few_handles()
    {
        Kind.RequiresUnix("by paths there are none");
        using var root = new TestRoot();
        const int Folders = 1500;
        int open = 0, most = 0;
        var calls = new FaultyCalls((word, _) =>
        {
            lock (root)
            {
                open += word is "open" or "create" ? 1 : word == "close" ? -1 : 0;
                most = Math.Max(most, open);
            }

            return 0;
        });
        FileOutput output = FileOutput.Publish(root["tree"], new FileOutputOptions { FileSystem = new UnixFileSystem(calls) });
        await using (output)
        {
            for (int round = 0; round < 2; round++)
            {
                for (int i = 0; i < Folders; i++)
                {
                    output.Write($"d{i}/x/f{round}", Content.Of(3));
                }
            }

            await output.CompleteAsync();
        }

        Assert.That(Directory.GetFiles(root["tree"], "*", SearchOption.AllDirectories), Has.Length.EqualTo(2 * Folders));
        Assert.That(most, Is.InRange(50, 300));
    }

    private static async Task Write(FileOutput output, string path, byte[] bytes, string way)
    {
        var entry = new FileEntry { Mode = Octal.Mode("750"), Modified = Time, Length = way == "bytes" ? null : bytes.Length };
        switch (way)
        {
            case "bytes":
                await output.WriteAsync(path, bytes, entry);
                break;
            case "blocking":
                output.Write(path, bytes, entry);
                break;
            case "stream":
                output.Write(path, new MemoryStream(bytes), entry);
                break;
            case "dribble":
                await output.WriteAsync(path, new Content.Dribble(bytes, 777_77), entry with { Length = null });
                break;
            default:
                using (OutputFile file = output.Open(path, entry))
                {
                    for (int at = 0; at < bytes.Length; at += 100_000)
                    {
                        await file.WriteAsync(bytes.AsMemory(at, Math.Min(100_000, bytes.Length - at)));
                    }

                    file.Complete();
                }

                break;
        }
    }

    private static string Mode(TestRoot root, string path) => Octal.Of(root.Look(path).Permissions);

    private static string Masked(string mode) => Octal.Of(Octal.Mode(mode) & ~Umask);
}
