using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>Reports what happens: one call at a time, in order, on the pool, so that nobody is called under a lock.</summary>
internal sealed class SpillReports(Action<SpillReport>? listener)
{
    private readonly object _gate = new();
    private Task _reported = Task.CompletedTask;

    /// <summary>Gets what completes when everything so far was reported.</summary>
    public Task Reported
    {
        get
        {
            lock (_gate)
            {
                return _reported;
            }
        }
    }

    public void Report(SpillEvent what, string message, JournalException? trouble = null, long packets = 0, Exception? cause = null)
    {
        var report = new SpillReport
        {
            Event = what, Message = message, Fault = trouble?.Fault, Packets = packets, Cause = trouble ?? cause,
        };
        lock (_gate)
        {
            _reported = _reported.ContinueWith(_ => Report(report), CancellationToken.None, TaskContinuationOptions.None,
                TaskScheduler.Default);
        }
    }

    private void Report(SpillReport report)
    {
        string what = report.Event.ToString();
        if (report.Fault is { } fault)
        {
            SpillEventSource.Log.Trouble(what, fault.ToString(), report.Message);
        }
        else
        {
            SpillEventSource.Log.Changed(what, report.Message);
        }

        try
        {
            listener?.Invoke(report);
        }
        catch (Exception e)
        {
            SpillEventSource.Log.Changed(what, "the callback threw: " + ExceptionText.MessageOf(e));
        }
    }
}
