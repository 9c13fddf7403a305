using System;
using System.IO;
using System.Threading.Tasks;
using BuildHarness.Display;
using BuildHarness.Journaling;
using BuildHarness.Worker;
using Transport.Journal;

namespace BuildHarness.Commands;

/// <summary><c>follow</c>: a journal's packets as lines, also while another process writes to it.</summary>
internal sealed class FollowCommand(FollowOptions options, Interrupt interrupt, TimeProvider clock)
{
    /// <returns>The exit code.</returns>
    /// <exception cref="HarnessException">It is no journal or cannot be read, or stdout cannot be written.</exception>
    public async Task<int> RunAsync()
    {
        try
        {
            using JournalReader reader = JournalReader.Open(options.Directory, options.Reading(follow: true));
            SdkMSBuild.Find();   // build events name its types
            using var stdout = new StdoutQueue(Console.OpenStandardOutput(), interrupt.Token, clock);
            await ShowAsync(reader, stdout).ConfigureAwait(false);
            stdout.Drain();
            if (stdout.Fault is { } unseen)
            {
                throw new HarnessException(unseen);
            }

            return interrupt.ExitCode ?? (reader.Condition == JournalCondition.Closed ? ExitCodes.Success
                : JournalCommand.Judge(options.Directory, reader.Ending ?? "its writer has ended without closing it"));
        }
        catch (JournalException e)
        {
            throw JournalCommand.FaultOf(options.Directory, e);
        }
        catch (ArgumentException e)
        {
            throw new HarnessException(e.Message, ExitCodes.BadUsage);
        }
    }

    private async Task ShowAsync(JournalReader reader, Stream stdout)
    {
        using var lines = new PacketLines(stdout, options.Verbosity);
        try
        {
            do
            {
                while (!interrupt.Token.IsCancellationRequested && reader.TryRead(out JournalRecord record))
                {
                    lines.Show(record);
                }

                lines.Flush();
            }
            while (await reader.WaitAsync(interrupt.Token).ConfigureAwait(false));
        }
        catch (OperationCanceledException) when (interrupt.Token.IsCancellationRequested)
        {
            // Ctrl+C is how one stops watching.
        }
    }
}
