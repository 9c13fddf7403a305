using System;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Waits for the end of a worker's process, and gives up if the end is overdue and no more output arrives.</summary>
internal sealed class EndWait
{
    /// <summary>How long no line may arrive once the end is overdue.</summary>
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(2);

    /// <summary>How many times <see cref="Silence"/> a process gets that is still running: others may write to its pipes without
    /// end.</summary>
    private const int MostLooks = 10;

    private readonly TaskCompletionSource<bool> _overdue = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ChildProcess _child;
    private readonly TimeProvider _clock;

    public EndWait(ChildProcess child, TimeProvider clock)
    {
        _child = child;
        _clock = clock;
        Ended = WaitAsync();
    }

    /// <summary>Gets what completes when the end is overdue: the process was killed, and its end has not come.</summary>
    public Task Overdue => _overdue.Task;

    /// <summary>
    /// Gets the process's end, or <see cref="ProcessExit.Unknown"/> and a sentence that says what hangs. Completes once, never faults.
    /// </summary>
    public Task<(ProcessExit Process, string? Problem)> Ended { get; }

    /// <summary>Ends the wait without bound: the process was killed some time ago.</summary>
    public void SetOverdue() => _overdue.TrySetResult(true);

    private async Task<(ProcessExit Process, string? Problem)> WaitAsync()
    {
        await Task.WhenAny(_child.WaitForExitAsync(), Overdue).ConfigureAwait(false);
        for (int look = 1; !_child.WaitForExitAsync().IsCompleted; look++)
        {
            long before = _child.OutputProgress.Lines;
            if (await Delay.InTimeAsync(_child.WaitForExitAsync(), _clock, Silence).ConfigureAwait(false))
            {
                break;
            }

            (long lines, bool isTaking) = _child.OutputProgress;
            bool hasExited = _child.HasExited;
            if (lines == before || (!hasExited && look == MostLooks))
            {
                return (ProcessExit.Unknown, Problem(hasExited, isTaking));
            }
        }

        return (await _child.WaitForExitAsync().ConfigureAwait(false), null);
    }

    private string Problem(bool hasExited, bool isTaking) =>
        !hasExited ? FormattableString.Invariant($"the process (pid {_child.ProcessId}) was killed and is still running after 2 s")
        : isTaking ? $"the output callback of {nameof(MainNode)}.{nameof(MainNode.StartWorker)} has not returned"
        : FormattableString.Invariant($"the process (pid {_child.ProcessId}) has ended, but its output could not be read to its end");
}
