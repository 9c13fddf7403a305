using System;
using System.IO;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.Nats;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>What goes wrong with shipping and receiving, as a line and an exit code.</summary>
internal static class FleetFaults
{
    /// <summary>Starts something.</summary>
    /// <param name="path">The journal or folder.</param>
    /// <param name="start">Starts it.</param>
    /// <exception cref="ToolException">It cannot be started.</exception>
    public static T Of<T>(string path, Func<T> start)
    {
        try
        {
            return start();
        }
        catch (Exception e) when (Find(path, e) is not null)
        {
            throw Find(path, e)!;
        }
    }

    /// <summary>Waits for something.</summary>
    /// <exception cref="ToolException">It has failed.</exception>
    public static async Task OfAsync(string path, Func<Task> work)
    {
        try
        {
            await work().ConfigureAwait(false);
        }
        catch (Exception e) when (Find(path, e) is not null)
        {
            throw Find(path, e)!;
        }
    }

    /// <summary>Waits until something has ended, or Ctrl+C.</summary>
    public static async Task UntilAsync(Task completion, Interrupt interrupt)
    {
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using (interrupt.Token.Register(asked.SetResult))
        {
            await (await Task.WhenAny(completion, asked.Task).ConfigureAwait(false)).ConfigureAwait(false);
        }
    }

    private static ToolException? Find(string path, Exception e) => e switch
    {
        JournalException journal => JournalFaults.Of(path, journal),
        FleetException fleet => new ToolException(fleet.Message, ToolExitCodes.Fault),
        ArgumentException bad => new ToolException(bad.Message, ToolExitCodes.BadUsage),
        IOException or UnauthorizedAccessException => new ToolException($"{path}: {e.Message}", ToolExitCodes.Fault),
        _ => null,
    };
}
