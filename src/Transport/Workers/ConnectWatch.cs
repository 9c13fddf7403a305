using System;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Reports where a worker that was started takes long to connect, and when that is over.</summary>
/// <param name="worker">The worker.</param>
/// <param name="options">The main node's.</param>
internal sealed class ConnectWatch(WorkerProcess worker, MainNodeOptions options)
{
    private readonly DateTimeOffset _since = options.Link.TimeProvider.GetUtcNow();
    private readonly long _started = options.Link.TimeProvider.GetTimestamp();

    /// <summary>Gets when all that was to report is reported; the callbacks are the caller's, and may hang.</summary>
    public Task Reported { get; private set; } = Task.CompletedTask;

    /// <summary>Waits until the worker has connected or ended.</summary>
    /// <param name="first">Completes then.</param>
    /// <returns>False if <see cref="MainNodeOptions.ConnectTimeout"/> was over before.</returns>
    public async Task<bool> WaitAsync(Task first)
    {
        // Both from the beginning: a second wait for the rest would begin late, by as much as its thread was held up.
        TimeSpan most = options.ConnectTimeout, reported = options.Link.Heartbeat.StallTimeout;
        using var over = new Delay(options.Link.TimeProvider, most);
        Task either = Task.WhenAny(first, over.Task);
        if (reported < most && !await Delay.InTimeAsync(either, options.Link.TimeProvider, reported).ConfigureAwait(false)
            && !over.Task.IsCompleted)
        {
            Report(Report());
        }

        await either.ConfigureAwait(false);
        return first.IsCompleted;
    }

    /// <summary>The wait is over.</summary>
    /// <param name="linked">Whether there is a link.</param>
    public void End(bool linked)
    {
        if (!ReferenceEquals(Reported, Task.CompletedTask))
        {
            Report(Report() with { IsOver = true, LinkEnded = !linked });
        }
    }

    private StallReport Report() => new()
    {
        Kind = StallKind.Connecting,
        Node = options.Link.OwnNode,
        Peer = worker.Node,
        Since = _since,
        Duration = options.Link.TimeProvider.GetElapsedTime(_started),
        Limit = options.ConnectTimeout,
        StoppedProcess = ProcessStatus.IsStopped(worker.ProcessId) ? worker.ProcessId : null,
    };

    private void Report(StallReport report) => Reported = ReportAsync(Reported, report);

    private async Task ReportAsync(Task before, StallReport report)
    {
        await Task.Yield();   // on the pool: a callback that hangs holds nothing up but the next
        await before.ConfigureAwait(false);
        string kind = report.Kind.ToString(), sentence = report.ToString();
        try
        {
            if (report.IsOver)
            {
                TransportEventSource.Log.StallEnded(report.Node, report.Peer, kind, sentence);
                worker.OnStallEnded(report);
            }
            else
            {
                TransportEventSource.Log.Stalled(report.Node, report.Peer, kind, sentence);
                worker.OnStalled(report);
            }
        }
#pragma warning disable CA1031 // the caller's function: its mistake must not cost the worker's end
        catch (Exception e)
#pragma warning restore CA1031
        {
            TransportEventSource.Log.Stalled(report.Node, report.Peer, kind, "the callback threw: " + ExceptionText.MessageOf(e));
        }
    }
}
