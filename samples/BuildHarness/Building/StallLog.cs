using System;
using System.Collections.Generic;
using BuildHarness.Display;
using Transport;

namespace BuildHarness.Building;

/// <summary>What stood still on one worker's link: a line when it begins, one when it is over, and all of it for the summary. Safe from any
/// thread.</summary>
/// <param name="node">The main node's name for the worker.</param>
internal sealed class StallLog(string node)
{
    /// <summary>A worker that is slow all day long must not fill the summary.</summary>
    private const int Most = 100;

    private readonly List<StallReport> _stalls = [];

    /// <summary>Gets what stood still, each as it was reported last; the first hundred.</summary>
    public IReadOnlyList<StallReport> Stalls
    {
        get
        {
            lock (_stalls)
            {
                return [.. _stalls];
            }
        }
    }

    /// <summary>Follows a worker until it has a link.</summary>
    /// <param name="worker">The worker, just started.</param>
    /// <param name="say">Takes each line; not on the link's own threads.</param>
    public void Follow(WorkerProcess worker, Action<string> say)
    {
        EventHandler<StallReport> teller = Teller(worker, say);
        worker.Stalled += teller;
        worker.StallEnded += teller;
    }

    /// <summary>Follows a link.</summary>
    /// <param name="worker">Whose it is.</param>
    /// <param name="link">The link.</param>
    /// <param name="say">Takes each line; not on the link's own threads.</param>
    public void Follow(WorkerProcess worker, Link link, Action<string> say)
    {
        EventHandler<StallReport> teller = Teller(worker, say);
        link.Stalled += teller;
        link.StallEnded += teller;
    }

    private EventHandler<StallReport> Teller(WorkerProcess worker, Action<string> say) =>
        (_, report) =>
        {
            Add(report);
            string doing = worker.CurrentActivity is { } work && !report.IsOver ? $" (on {work})" : string.Empty;
            string what = report.LinkEnded ? "stalled to its end" : report.IsOver ? "goes on" : "stalled";
            say(TerminalText.Escape($"{node} (pid {worker.ProcessId}) {what}{doing}: {report}"));
        };

    private void Add(StallReport report)
    {
        lock (_stalls)
        {
            int begun = report.IsOver ? _stalls.FindLastIndex(s => s.Kind == report.Kind && !s.IsOver) : -1;
            if (begun >= 0)
            {
                _stalls[begun] = report;
            }
            else if (!report.IsOver && _stalls.Count < Most)
            {
                _stalls.Add(report);
            }
        }
    }
}
