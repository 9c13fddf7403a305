using System;
using System.Threading.Tasks;

namespace Transport.Chaos.Days;

/// <summary>What is done with an end of a link in every round, and what it says of itself.</summary>
internal static class LinkDays
{
    /// <summary>Waits until what was queued is acknowledged, now and then.</summary>
    public static async Task AskAsync(Link link, Facts facts, int seed)
    {
        var random = new Random(seed);
        for (int i = 0; i < 5; i++)
        {
            await Task.Delay(random.Next(20));
            facts.Note($"asks {i}");
            facts.Note($"begin acknowledged-{i} 10000");
            facts.Note($"acknowledged {i} {await link.WaitForAcknowledgedAsync()}");
            facts.Note($"end acknowledged-{i}");
        }
    }

    /// <summary>Ends a link, or waits for its end.</summary>
    public static async Task EndAsync(Link link, Facts facts, bool closes, bool aborts, int closeMs)
    {
        if (aborts)
        {
            facts.Note($"aborts");
            link.Abort("in the middle");
        }

        // CloseTimeout, 250 ms for a farewell, 2 s for a handler that has not returned.
        facts.Note($"begin end {(closes ? closeMs + 3500 : 9000)}");
        LinkEnd end = await (closes ? link.CloseAsync("the day is over") : link.Completion);
        facts.Note($"end end");
        facts.Note($"over {end.Fault} {end.Reason}");
    }

    /// <summary>Writes down what a link has counted.</summary>
    public static void Close(Link link, Facts facts)
    {
        LinkReceipt r = link.Receipt;
        facts.Note($"receipt {r.Sent} {r.Acknowledged} {r.Dropped} {r.Refused} {r.TooLate} {r.Received} {r.Handled} {r.Unhandled} {r.HandlerFailures} {r.PeerSent ?? -1} {r.PeerDropped} {r.PeerRefused} {r.PeerUnhandled} {r.PeerHandlerFailures} {r.Flushed}");
    }
}
