using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Display;
using BuildHarness.Tests.Archives;
using BuildHarness.Tests.Journal;
using BuildHarness.Tests.Processes;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Spectre.Console;
using Transport.Journal;
using Transport.Logging;
using Transport.MSBuild;
using Transport.Terminal;
using Transport.Testing;
using LiveDisplay = BuildHarness.Display.LiveDisplay;

namespace BuildHarness.Tests.Display;

/// <summary>Texts of workers, archives and journals: by no way do they reach a terminal unescaped or whole.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class HostileTextTests
{
    [Test]
    public async Task A_worker_that_runs_shows_nothing_as_it_is_and_the_log_and_the_summary_lose_nothing()
    {
        using var folder = new TemporaryFolder();
        string log = Path.Combine(folder.Path, "log");
        string[] worker = [Harness.DotNet, Harness.Helper, "worker-rude"];
        using Harness run = await Harness.RunAsync(["run", "--log", log, "--summary", "{summary}", "--", .. worker]);

        Expect(run);
        Assert.That(run.ExitCode, Is.EqualTo(3), () => string.Join('\n', run.Errors));
        foreach (string beginning in (string[])["n1 out: ", "n1 err: ", "n1 Error ", "n1 progress 1: 1/2 ", "    stderr: "])
        {
            Assert.That(run.Output, Has.Some.StartsWith(beginning + @"\u001b]0;title"));
        }

        JsonElement lastWords = run.Summary().GetProperty("nodes")[0].GetProperty("lastWords");
        string words = lastWords.EnumerateArray().Select(w => w.GetString()!).First(w => w.Contains("title", StringComparison.Ordinal));
        Assert.That(HostileText.Value, Does.StartWith(words[..4000]), "unescaped, as far as it is kept");
        Assert.That(File.ReadAllText(log), Does.Contain(new string('x', 60_000)));
    }

    [Test]
    public async Task An_entry_of_an_archive_is_named_in_a_line_that_says_why([Values("zip", "tar", "twice")] string kind)
    {
        using var folder = new TemporaryFolder();
        string archive = Path.Combine(folder.Path, "archive"), name = HostileText.Value.Replace("\0", "", StringComparison.Ordinal);
        File.WriteAllBytes(archive, kind switch
        {
            "zip" => ZipBytes.Of(new ZipItem(name)),
            "tar" => new TarBytes().Pax('x', "path=" + name).Entry("x").End(),
            _ => ZipBytes.Of(new ZipItem("\u001b[2J\u202e"), new ZipItem("\u001b[2J\u202e")),
        });

        using Harness run = await Harness.RunAsync("extract", archive, Path.Combine(folder.Path, "target"));

        Expect(run);
        Assert.That(run.ExitCode, Is.EqualTo(1));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
        TestContext.Out.WriteLine(run.Errors[0]);
        Assert.That(run.Errors[0], Does.StartWith($"buildharness: {archive}: ").And.Not.EndsWith("end"), "the reason comes last");
    }

    [Test]
    public async Task A_journal_of_a_hostile_worker_is_followed_surveyed_and_dumped_in_safety()
    {
        using var rig = new JournalRig();
        using (var journal = PacketJournal.Open(rig.Journal, new JournalOptions()))
        {
            var body = new ArrayBufferWriter<byte>();
            string text = HostileText.Value;
            var rude = new LogEvent { Time = DateTimeOffset.UnixEpoch, Level = LogLevel.Error, Category = text, Message = text };
            LogEvent.PacketType.Formatter.Write(body, rude);
            foreach (string name in (string[])["n1", "n2"])
            {
                _ = journal.TryAppend(new JournalNode(name), LogEvent.PacketType.Id, body.WrittenSpan, out _);
                _ = journal.TryAppend(new JournalNode(name), 1030, [1], out _);
            }

            journal.Commit(journal.Appended);
        }

        using Harness follow = await Harness.RunToolAsync("follow", rig.Journal);
        using Harness stat = await Harness.RunToolAsync("journal", "stat", rig.Journal);
        using Harness verify = await Harness.RunToolAsync("journal", "verify", rig.Journal);
        Expect(follow);
        Expect(stat);
        Expect(verify);
        Assert.That(follow.Output, Has.Length.EqualTo(4).And.Some.StartsWith(@"n2 Error \u001b]0;title"));

        (_, _, Dumped[] packets) = await JournalRig.DumpAsync(rig.Journal);
        string?[] messages = [.. packets.Where(p => p.Type == 256).Select(p => p.Body.GetProperty("message").GetString())];
        Assert.That(messages, Is.EqualTo(new[] { HostileText.Value, HostileText.Value }), "JSON loses nothing");
        using Harness dump = await Harness.RunToolAsync("journal", "dump", rig.Journal);
        Assert.That(dump.Output.SelectMany(line => line).Where(c => HostileText.Signs.Contains(c)), Is.Empty);
    }

    [Test]
    public void Events_of_a_build_and_lines_of_the_harness_are_fit_for_a_terminal()
    {
        using var shown = new MemoryStream();
        using (var display = new PlainDisplay(new StdoutQueue(new Kept(shown), CancellationToken.None, TimeProvider.System)))
        {
            var feed = new EventFeed(display, log: null, BuildVerbosity.Diagnostic);
            feed.Diagnostic("restore", HostileText.Value, isError: true);
            display.Line(HostileText.Value);
            display.Block([HostileText.Value, HostileText.Value]);
            display.Drain();
        }

        ExpectFit(Encoding.UTF8.GetString(shown.ToArray()), lines: 4);
    }

    [Test]
    public async Task The_live_view_shows_no_name_as_it_is()
    {
        var writer = new StringWriter();
        TextWriter terminal = TextWriter.Synchronized(writer);
        IAnsiConsole console = AnsiConsole.Create(
            new AnsiConsoleSettings
            {
                Ansi = AnsiSupport.Yes, Out = new AnsiConsoleOutput(terminal), Interactive = InteractionSupport.Yes,
            });
        console.Profile.Width = 200;
        using (var display = new LiveDisplay(console, TimeProvider.System))
        {
            display.Line(HostileText.Value);
            display.Node("node-of-the-test", HostileText.Value);
            await Wait.UntilAsync(() => Text().Contains("node-of-the-test", StringComparison.Ordinal), "the table was drawn", seconds: 60);
        }

        // The table moves the cursor itself.
        Assert.That(Text().Where(c => c != '\u001b' && HostileText.Signs.Contains(c)), Is.Empty);
        Assert.That(Text(), Does.Contain(@"\u001b]0;title"));
        Assert.That(Text().Contains("\u001b]", StringComparison.Ordinal), Is.False, "the title of the terminal stays");
        Assert.That(Text().Count(c => c == 'x'), Is.LessThan(10_000), "cut");

        string Text()
        {
            lock (terminal)
            {
                return writer.ToString();
            }
        }
    }

    [Test]
    [NonParallelizable]
    public void What_is_reported_on_stderr_is_one_line_that_is_fit_for_a_terminal()
    {
        TextWriter before = Console.Error;
        var writer = new StringWriter { NewLine = "\n" };
        try
        {
            Console.SetError(writer);
            Stderr.Report("buildharness: " + HostileText.Value + "\nthe reason");
        }
        finally
        {
            Console.SetError(before);
        }

        ExpectFit(writer.ToString(), lines: 1);
        Assert.That(writer.ToString(), Does.StartWith(@"buildharness: \u001b]0;title").And.EndWith("end the reason\n"));
    }

    private static void Expect(Harness run) => Assert.That(run.Output.Concat(run.Errors).Select(HostileText.FaultOf), Is.All.Null);

    private static void ExpectFit(string shown, int lines)
    {
        string[] all = shown.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.That(all, Has.Length.EqualTo(lines));
        Assert.That(all.Select(HostileText.FaultOf), Is.All.Null);
    }

    /// <summary>Passes bytes on to a stream that outlives it.</summary>
    private sealed class Kept(MemoryStream inner) : MemoryStream
    {
        public override void Write(ReadOnlySpan<byte> buffer) => inner.Write(buffer);

        public override void Write(byte[] buffer, int offset, int count) => inner.Write(buffer, offset, count);
    }
}
