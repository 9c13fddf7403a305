using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;
using Transport.MSBuild;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The command <c>watch</c>.</summary>
internal sealed class WatchCommand
{
    /// <summary>What the exit codes mean, for the help.</summary>
    public const string ExitCodes = "0 the build has succeeded; 1 it has failed, or is not known to have succeeded: it has not ended, or "
        + "its journal was not closed; 2 bad usage, or no build is running; 3 the journal cannot be read; 129, 130, 143 after SIGHUP, SIGINT, SIGTERM.";

    private readonly Argument<string?> _directory = new("DIR")
    {
        Description = "The journal's folder; by default that of this user's newest running build.", Arity = ArgumentArity.ZeroOrOne,
    };

    /// <summary>Initializes a new instance of the <see cref="WatchCommand"/> class.</summary>
    public WatchCommand() => Command = new Command("watch", "Shows a build that collect, or buildharness build --journal, is keeping: what "
        + "each node is on, who waits for whom, warnings and errors as they come. On a terminal as a live view, elsewhere as lines. Of a "
        + "journal with several builds it shows the newest, and goes on to each that begins.")
    {
        _directory,
    };

    /// <summary>Gets the command.</summary>
    public Command Command { get; }

    /// <summary>Runs it.</summary>
    /// <param name="parsed">The command line.</param>
    /// <returns>The exit code.</returns>
    /// <exception cref="ToolException">No build is running, or its journal cannot be read.</exception>
    public async Task<int> RunAsync(ParseResult parsed)
    {
        string directory = parsed.GetValue(_directory) ?? Newest();
        using BuildLog log = BuildLog.Follow(directory);
        using var interrupt = new Interrupt();
        var state = new BuildState();
        using (var screen = new BuildScreen(state, Console.OpenStandardOutput()))
        {
            await FollowAsync(log, state, screen, interrupt).ConfigureAwait(false);
            // Of a journal that nobody writes any more the last event is the end; only who stops watching leaves a build that runs.
            bool isRunning = interrupt.Token.IsCancellationRequested;
            screen.End(Summary(state.Look(isRunning ? TimeProvider.System.GetUtcNow().UtcTicks : 0), log.IsClosed || isRunning));
        }

        return interrupt.ExitCode ?? (log.IsClosed && state.Look(0).Succeeded == true ? ToolExitCodes.Success : ToolExitCodes.Invalid);
    }

    private static async Task FollowAsync(BuildLog log, BuildState state, BuildScreen screen, Interrupt interrupt)
    {
        int build = 0;
        try
        {
            do
            {
                while (!interrupt.Token.IsCancellationRequested && log.Next() is { } one)
                {
                    if (one.Build < build)
                    {
                        continue;   // an older one that runs beside the newest
                    }

                    if (one.Build > build && build > 0)
                    {
                        screen.Line($"build {build}: {Summary(state.Look(0), isClosed: true)}");
                        state.Reset();
                    }

                    build = one.Build;
                    state.Take(one.Node, one.Event);
                    screen.Show(one.Event);
                }
            }
            while (await log.WaitAsync(interrupt.Token).ConfigureAwait(false));
        }
        catch (OperationCanceledException) when (interrupt.Token.IsCancellationRequested)
        {
            // Ctrl+C is how one stops watching.
        }
    }

    private static string Summary(BuildPicture picture, bool isClosed)
    {
        string end = picture.Succeeded switch
        {
            false => "failed",
            true when isClosed => "succeeded",
            true => "what is here succeeded, but the journal was not closed: the build may not have ended",
            _ => "not ended",
        };
        string[] counts =
        [
            Counted.Of(picture.Finished, "project"), Counted.Of(picture.Errors, "error"), Counted.Of(picture.Warnings, "warning"),
            Counted.Of(picture.Events, "event"),
        ];
        return string.Create(
            CultureInfo.InvariantCulture, $"{end} after {picture.Elapsed.TotalSeconds:0.0} s: {string.Join(", ", counts)}");
    }

    private static string Newest()
    {
        try
        {
            IReadOnlyList<string> running = BuildNote.RunningJournals();
            return running.Count > 0 ? running[0] : throw new ToolException("watch: no build of this user is running; name the folder of "
                + "a journal, or start one with collect.", ToolExitCodes.BadUsage);
        }
        catch (Exception e) when (e is TransportException or IOException or UnauthorizedAccessException)
        {
            throw new ToolException($"watch: {e.Message}", ToolExitCodes.Fault);
        }
    }
}
