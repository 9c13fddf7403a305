using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Logging;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Tests.Logging;

/// <summary>A process that captures its own descriptors, seen from outside: what was captured, and what still came out.</summary>
[Platform(Exclude = "Win", Reason = "Descriptors are redirected on Unix only; Windows has the Console fallback.")]
public sealed class StdioCaptureTests
{
    [Test]
    public async Task Managed_native_and_child_prints_are_captured_and_the_streams_given_back()
    {
        Ran ran = await Run("all-ways").ConfigureAwait(false);
        Assert.Multiple(() =>
        {
            Assert.That(ran.Captured.Where(l => l.StartsWith("Stdout")), Is.EqualTo(new[]
            {
                "Stdout|False||managed ü\ud83d\ude00", "Stdout|False||direct", "Stdout|False||child", "Stdout|False||no endnative",
            }), "C's own buffer is written when the capture ends");
            Assert.That(ran.Captured.Where(l => l.StartsWith("Stderr")),
                Is.EqualTo(new[] { "Stderr|False||managed err", "Stderr|False||direct err", "Stderr|False||child err" }));
            Assert.That(ran.Out, Is.EqualTo("before\nafter\nafter direct\nafter child\n"));
            Assert.That(ran.Error, Is.EqualTo("before err\nafter err\n"));
            Assert.That(ran.ExitCode, Is.Zero);
        });
    }

    [Test]
    public async Task A_line_above_64_KiB_comes_in_pieces_with_their_context()
    {
        Ran ran = await Run("long-line").ConfigureAwait(false);
        Assert.That(ran.Captured, Is.EqualTo(new[]
        {
            "Stdout|True|4+2|65536 characters", "Stdout|True|4+2|65536 characters", "Stdout|False|4+2|18928 characters",
        }));
    }

    [Test]
    public async Task After_the_links_end_lines_go_to_the_original_streams()
    {
        Ran ran = await Run("closed").ConfigureAwait(false);
        Assert.That((ran.Out, ran.Error), Is.EqualTo(("nobody takes it\nsent 0, dropped 0\n", "nor this\n")));
    }

    [Test]
    public async Task A_line_that_finds_no_capacity_is_counted()
    {
        Ran ran = await Run("full").ConfigureAwait(false);
        Assert.That((ran.Out, ran.Error), Is.EqualTo(("sent 0, dropped 2\n", string.Empty)));
    }

    [Test]
    public async Task The_last_words_of_an_unhandled_exception_reach_the_original_stderr()
    {
        Ran ran = await Run("throw").ConfigureAwait(false);
        Assert.That(ran.Captured, Is.EqualTo(new[] { "Stderr|False||captured before the end" }));
        Assert.That(ran.Error, Does.Contain("InvalidOperationException").And.Contain("last output"));
        Assert.That(ran.ExitCode, Is.Not.Zero);
    }

    [Test]
    public async Task A_process_that_ends_without_dispose_loses_nothing() =>
        Assert.That((await Run("no-dispose").ConfigureAwait(false)).Captured, Is.EqualTo(new[] { "Stdout|False||said and gone" }));

    [Test]
    public async Task A_child_that_keeps_the_pipe_open_does_not_hold_up_the_end()
    {
        Ran ran = await Run("child-stays").ConfigureAwait(false);
        Assert.That(ran.Captured, Is.EqualTo(new[] { "Stdout|False||from the child", "Stdout|False||mine" }));
        Assert.That(ran.Out, Is.EqualTo("in time\n"));
    }

    [Test]
    public async Task Stderr_can_be_left_to_the_parent()
    {
        Ran ran = await Run("only-stdout").ConfigureAwait(false);
        Assert.That((ran.Out, ran.Error), Is.EqualTo((string.Empty, "not captured\n")));
        Assert.That(ran.Captured, Is.EqualTo(new[] { "Stdout|False||captured" }));
    }

    [Test]
    public async Task Lines_of_many_threads_are_whole_and_all_there()
    {
        Ran ran = await Run("many-threads").ConfigureAwait(false);
        for (int thread = 0; thread < 4; thread++)
        {
            Assert.That(
                ran.Captured.Where(l => l.Contains($"thread {thread} ")),
                Is.EqualTo(Enumerable.Range(0, 500).Select(i => $"Stdout|False||thread {thread} line {i}")));
        }

        Assert.That(ran.Captured, Has.Length.EqualTo(2000));
    }

    [Test]
    public async Task A_workers_output_travels_over_its_link_as_whole_lines()
    {
        (WorkerExit end, string shown, List<string> own) = await RunWorker("worker").ConfigureAwait(false);
        IEnumerable<string> expected = Enumerable.Range(0, 100).Select(i => $"n1 out: line {i}");
        string[] lines = shown.Split(['\n'], StringSplitOptions.RemoveEmptyEntries);
        Assert.Multiple(() =>
        {
            Assert.That(lines.Where(l => l.StartsWith("n1 out: ")), Is.EqualTo(expected));
            Assert.That(lines, Does.Contain("n1 err: from native code"));
            Assert.That(lines[lines.Length - 1], Is.EqualTo("n1 Information c: after the capture"),
                "what the capture held was sent before Dispose returned");
            Assert.That((end.Cause, end.Link!.Receipt.PeerSent), Is.EqualTo(("clean", (long?)102)));
            Assert.That(own, Is.EqualTo(new[] { "to the parent's pipe" }));
        });
    }

    [Test]
    public async Task The_last_words_of_a_worker_that_captures_its_output_reach_the_main_node()
    {
        (WorkerExit end, string shown, _) = await RunWorker("failing-worker").ConfigureAwait(false);
        Assert.That(end.IsClean, Is.False);
        Assert.That(string.Join("\n", end.LastErrorLines), Does.Contain("InvalidOperationException").And.Contain("last output"));
        Assert.That(shown, Does.Contain("n1 out: line 99\n"));
    }

    [Test]
    public void Options_out_of_range_are_named_together() =>
        Assert.That(
            () => StdioCapture.Start((_, _) => default, new StdioCaptureOptions
            {
                SendDeadline = TimeSpan.FromDays(1), Stdout = false, Stderr = false,
            }),
            Throws.ArgumentException.With.Message.Contains("SendDeadline").And.Message.Contains("Stdout"));

    private static async Task<(WorkerExit End, string Shown, List<string> OwnLines)> RunWorker(string mode)
    {
        var shown = new StringWriter { NewLine = "\n" };
        var own = new List<string>();
        await using MainNode main = MainNode.Start(new MainNodeOptions
        {
            ConnectTimeout = WithinExtensions.Bound, BrokenLinkGrace = WithinExtensions.Bound,
        });
        WorkerStartOptions program = TestHost.Start("stdio", mode, "-");
        program.Environment["DOTNET_DbgEnableMiniDump"] = "0";
        WorkerProcess worker = main.StartWorker(
            program.With(new ConsoleSink(shown).AddTo(new PacketRouter()), line =>
            {
                if (!line.IsError)
                {
                    own.Add(line.Text);
                }
            }));
        WorkerExit end = await worker.WaitForExitAsync().Within($"the end of {mode}").ConfigureAwait(false);
        TestContext.Out.WriteLine(end);
        return (end, shown.ToString(), own);
    }

    private static async Task<Ran> Run(string mode)
    {
        string file = Path.Combine(TestContext.CurrentContext.WorkDirectory, $"stdio-{mode}-{Guid.NewGuid():N}.txt");
        WorkerStartOptions program = TestHost.Start("stdio", mode, file);
        var start = new ProcessStartInfo(program.FileName, string.Join(" ", program.Arguments.Select(word => $"\"{word}\"")))
        {
            UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true,
                Environment = { ["DOTNET_DbgEnableMiniDump"] = "0" },
        };
        try
        {
            using Process process = Process.Start(start)!;
            Task<string> error = process.StandardError.ReadToEndAsync();
            string output = await process.StandardOutput.ReadToEndAsync().Within($"the end of {mode}'s stdout").ConfigureAwait(false);
            string errors = await error.Within($"the end of {mode}'s stderr").ConfigureAwait(false);
            Assert.That(process.WaitForExit((int)WithinExtensions.Bound.TotalMilliseconds), Is.True, "the helper ends");
            return new Ran(output, errors, process.ExitCode, File.Exists(file)
                ? File.ReadAllText(file).Split(['\n'], StringSplitOptions.RemoveEmptyEntries) : []);
        }
        finally
        {
            File.Delete(file);
        }
    }

    private sealed record Ran(string Out, string Error, int ExitCode, string[] Captured);
}
