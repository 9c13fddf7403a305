using System;
using System.Collections.Concurrent;
using System.Threading;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>What links report of what stands still.</summary>
internal sealed class StallLog
{
    private readonly BlockingCollection<StallReport> _reported = [];

    public bool IsEmpty => _reported.Count == 0;

    /// <summary>Waits a while for a report that may not come.</summary>
    public bool IsSoonThere() => SpinWait.SpinUntil(() => !IsEmpty, TimeSpan.FromSeconds(2));

    public Link Of(Link link)
    {
        link.Stalled += (_, e) => _reported.Add(e);
        link.StallEnded += (_, e) => _reported.Add(e);
        return link;
    }

    public StallReport Next()
    {
        Assert.That(_reported.TryTake(out StallReport? report, WithinExtensions.Bound), Is.True, "a report");
        TestContext.Out.WriteLine($"{report!.Node}: {report}");
        return report;
    }
}
