using System;
using System.Collections.Concurrent;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Files.Tests.Kit;

namespace Transport.Files.Tests.Outputs;

/// <summary>Names, times, the choice of the writer, progress and the trace, as a user sees them.</summary>
internal sealed class WordsTests
{
    [TestCase(FileIo.Auto, null, false, 5_000_000, FileIo.Stream)]
    [TestCase(FileIo.Auto, "", true, 5_000_000, FileIo.Mmap)]
    [TestCase(FileIo.Auto, null, true, 0, FileIo.Stream)]
    [TestCase(FileIo.Auto, null, true, -1, FileIo.Stream)]
    [TestCase(FileIo.Auto, null, true, 10_485_761, FileIo.Stream)]
    [TestCase(FileIo.Auto, "mmap", false, 1, FileIo.Mmap)]
    [TestCase(FileIo.Auto, "stream", true, 1, FileIo.Stream)]
    [TestCase(FileIo.Stream, "mmap", true, 1, FileIo.Stream)]
    public void The_writer_is_chosen_by_option_then_environment_then_platform(
        FileIo option, string? environment, bool isWindows, long length, FileIo expected) =>
        Assert.That(new FileIoChoice(option, environment, isWindows).For(length), Is.EqualTo(expected));

    [Test]
    public void An_unknown_writer_in_the_environment_is_refused() =>
        Assert.That(
            () => new FileIoChoice(FileIo.Auto, "MMAP", false),
            Expect.Refuses(TransportFault.BadConfiguration, "TRANSPORT_FILE_IO is 'MMAP', and stream or mmap is needed"));

    [Test]
    public void Every_name_goes_through_a_string_and_back()
    {
        const int Seed = 20_261_121;
        byte[] parts = [0xE2, 0x82, 0xAC, 0xC3, 0xF0, 0x9F, 0x98, 0x80, 0xED, 0xA0, 0xC0, 0xE0];
        var random = new Random(Seed);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] name = new byte[random.Next(1, 24)];
            random.NextBytes(name);
            for (int k = 0; k < name.Length; k++)
            {
                // Random bytes are seldom UTF-8: half of them are made of what its sequences begin and go on with.
                name[k] = random.Next(2) == 0 ? (byte)(name[k] | 1) : parts[name[k] % parts.Length];
            }

            string text = EntryName.FromBytes(name);
            byte[] back = new byte[(text.Length * 3) + 1];
            int count = Utf8Names.Write(text.AsSpan(), back);
            Assert.That(back.Take(count), Is.EqualTo(name), $"seed {Seed}, round {i}");
            Assert.That(Utf8Names.Count(text.AsSpan()), Is.EqualTo(count));
        }
    }

    [Test]
    public async Task A_record_in_a_log_says_what_it_holds()
    {
        using var root = new TestRoot();
        var output = FileOutput.Publish(root["out"]);
        await output.WriteAsync("d/a", Content.Of(1000));
        await output.WriteAsync("d/b", new byte[24]);
        output.CreateSymbolicLink("l", "d");
        Assert.That((await output.CompleteAsync()).ToString(), Does.Match(@"^2 files, 1 directory, 1 link, 1024 bytes in \d+\.\d{3} s$"));
        Assert.That(output.Progress.ToString(), Does.StartWith("2 files, 1024 bytes, 0 under way (0 bytes), at '"));

        var failed = FileOutput.Publish(root["failed"]);
        await failed.WriteAsync("d/a\n", new byte[1]);
        Assert.That(
            async () => await failed.WriteAsync("d/broken", new Content.Dribble(Content.Of(10), 4, new IOException("it broke"))),
            Throws.TypeOf<IOException>());
        Assert.That(async () => await failed.CompleteAsync(), Throws.TypeOf<TransportException>());
        Assert.That(
            failed.Receipt!.ToString(),
            Does.StartWith("not published: ").And.Contain("1 failed: source 'd/broken': it broke").And.Not.Contain("FileFailure"));

        var failure = new FileFailure("x", "write", TransportFault.FileFailed, new IOException("no"));
        var many = new FileReceipt
        {
            Files = 5,
            Directories = 1,
            Links = 0,
            Bytes = 7,
            Failures = [failure, failure, failure, failure],
            Skipped = 3,
            Retries = 2,
            RetryTime = TimeSpan.FromSeconds(1.5),
            Elapsed = TimeSpan.FromSeconds(2),
            IsPublished = true,
            Reused = 4,
            StagingsRemoved = 1,
            LeftBehind = failure,
        };
        const string Shown = "5 files, 1 directory, 0 links, 7 bytes in 2.000 s, 4 taken over"
            + ", 2 tried again (1.500 s), 1 abandoned staging removed, 3 skipped"
            + ", 4 failed: write 'x': no; write 'x': no; write 'x': no; …, left behind, write 'x': no";
        Assert.That(many.ToString(), Is.EqualTo(Shown));
    }

    [TestCase(1_000_000_000, 5, "2001-09-09T01:46:40.000000005Z")]
    [TestCase(-1, 999_999_999, "1969-12-31T23:59:59.999999999Z")]
    [TestCase(long.MaxValue, 0, "9223372036854775807 s and 0 ns since 1970")]
    [TestCase(0, -1, "0 s and -1 ns since 1970")]
    public void A_time_is_shown_to_the_nanosecond(long seconds, int nanoseconds, string shown) =>
        Assert.That(new FileTime(seconds, nanoseconds).ToString(), Is.EqualTo(shown));

    [Test]
    public void An_entry_is_shown_as_a_shell_would_say_it()
    {
        Assert.That(default(FileEntry).ToString(), Is.EqualTo("usual mode"));
        Assert.That(
            new FileEntry { Mode = Octal.Mode("755"), Modified = new FileTime(0), Length = 12, Baseline = "a\n" }.ToString(),
            Is.EqualTo("mode 0755, modified 1970-01-01T00:00:00.000000000Z, 12 bytes, earlier 'a\\u000a'"));
    }

    [TestCase("1970-01-01T00:00:00Z", 0, 0)]
    [TestCase("1969-12-31T23:59:59.9999999Z", -1, 999_999_900)]
    [TestCase("2001-09-09T03:46:40.5+02:00", 1_000_000_000, 500_000_000)]
    [TestCase("0001-01-01T00:00:00Z", -62_135_596_800, 0)]
    public void Times_of_net_are_times_of_files(string text, long seconds, int nanoseconds)
    {
        var time = DateTimeOffset.Parse(text, System.Globalization.CultureInfo.InvariantCulture);
        Assert.That(FileTime.From(time), Is.EqualTo(new FileTime(seconds, nanoseconds)));
        Assert.That(new FileTime(seconds, nanoseconds).ToDateTimeOffset(), Is.EqualTo(time));
        Assert.That(new FileTime(long.MaxValue).ToDateTimeOffset(), Is.EqualTo(DateTimeOffset.MaxValue));
    }

    [Test]
    public async Task Progress_reports_how_far_it_is()
    {
        using var root = new TestRoot();
        FileOutput output = FileOutput.Publish(root["tree"], new FileOutputOptions { Writers = 0 });
        await using (output)
        {
            output.Write("a/f1", Content.Of(100));
            output.Write("a/f2", Content.Of(200));
            Assert.That(output.Progress, Is.EqualTo(new FileProgress { Files = 2, Bytes = 300, Current = "a/f2" }));
            using OutputFile file = output.Open("a/f3");
            file.Write(Content.Of(50));
            Assert.That(output.Progress, Is.EqualTo(new FileProgress { Files = 2, Bytes = 350, QueuedFiles = 1, Current = "a/f3" }));
            file.Complete();
            await output.CompleteAsync();
            Assert.That(output.Progress.Files, Is.EqualTo(3));
        }
    }

    [Test]
    public async Task Every_step_is_reported_with_its_thread_and_path()
    {
        using var root = new TestRoot();
        var spans = new ConcurrentQueue<FileSpan>();
        var files = new UnixFileSystem(FaultyCalls.First(1, "create", Errno.Busy));
        var options = new FileOutputOptions { Writers = 1, OnSpan = spans.Enqueue, FileSystem = files };
        FileOutput output = FileOutput.Publish(root["tree"], options);
        await using (output)
        {
            output.Write("d/a", Content.Of(100));
            await output.CompleteAsync();
        }

        Assert.That(spans.Select(s => s.Thread + " " + s.Name), Is.SupersetOf(new[]
        {
            "writer 1 queued", "writer 1 open", "writer 1 write", "writer 1 close", "retries retry", "finish publish",
        }));
        Assert.That(spans.Where(s => s.Name is "open" or "write" or "close" or "queued").Select(s => s.Path), Is.All.EqualTo("d/a"));
        Assert.That(spans.Where(s => s.Start <= 0 || s.End < s.Start), Is.Empty);
        Assert.That(spans.First(s => s.Name == "write").ToString(), Is.EqualTo("writer 1: write d/a"));
    }

    [Test]
    public async Task Who_hears_of_spans_and_throws_hears_no_more_and_the_output_goes_on()
    {
        using var root = new TestRoot();
        int calls = 0;
        var options = new FileOutputOptions { Writers = 0, OnSpan = _ => throw new InvalidOperationException($"{++calls}") };
        FileOutput output = FileOutput.Publish(root["tree"], options);
        await using (output)
        {
            output.Write("a", Content.Of(100));
            output.Write("b", Content.Of(100));
            await output.CompleteAsync();
        }

        Assert.That(File.ReadAllBytes(root["tree/b"]), Has.Length.EqualTo(100));
        Assert.That(calls, Is.InRange(1, 4), "once for each thread of the output that reports");
    }
}
