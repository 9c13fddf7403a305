using System;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;

namespace Transport.Spill;

/// <summary>Tells what happens: one call at a time, in order, on the pool, so that nobody is called under a lock.</summary>
internal sealed class SpillReports(Action<SpillReport>? listener)
{
    private readonly object _gate = new();
    private Task _told = Task.CompletedTask;

    /// <summary>Gets what completes when everything so far was told.</summary>
    public Task Told
    {
        get
        {
            lock (_gate)
            {
                return _told;
            }
        }
    }

    public void Tell(SpillEvent what, string message, JournalException? trouble = null, long packets = 0, Exception? cause = null)
    {
        var report = new SpillReport
        {
            Event = what, Message = message, Fault = trouble?.Fault, Packets = packets, Cause = trouble ?? cause,
        };
        lock (_gate)
        {
            _told = _told.ContinueWith(_ => Tell(report), CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        }
    }

    private void Tell(SpillReport report)
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
