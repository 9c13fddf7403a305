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

    /// <summary>Ends both ends of a link in one of eight ways, behind what is sent or in its middle, and writes down what they have
    /// counted.</summary>
    /// <param name="near">The one end.</param>
    /// <param name="far">The other.</param>
    /// <param name="way">0, 1: both close; 2, 3: near; 4, 5: far; 6: near is aborted; 7: far. Odd ones do not wait for what is sent.</param>
    /// <param name="afterMs">When odd ones begin.</param>
    /// <param name="closeMs">How long a close may take.</param>
    /// <param name="sending">Ends when all is sent.</param>
    /// <param name="asking">Ends when nobody asks for Acks any more.</param>
    public static async Task EndBothAsync(
        (Link Link, Facts Facts) near, (Link Link, Facts Facts) far, int way, int afterMs, int closeMs, Task sending, Task asking)
    {
        await (way % 2 == 0 ? sending : Task.Delay(afterMs));
        await Task.WhenAll(
            EndAsync(near.Link, near.Facts, way is 0 or 1 or 2 or 3, way == 6, closeMs),
            EndAsync(far.Link, far.Facts, way is 0 or 1 or 4 or 5, way == 7, closeMs));
        await sending;
        await asking;
        Close(near.Link, near.Facts);
        Close(far.Link, far.Facts);
    }

    private static async Task EndAsync(Link link, Facts facts, bool closes, bool aborts, int closeMs)
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

    private static void Close(Link link, Facts facts)
    {
        LinkReceipt r = link.Receipt;
        facts.Note($"receipt {r.Sent} {r.Acknowledged} {r.Dropped} {r.Refused} {r.TooLate} {r.Received} {r.Handled} {r.Unhandled} {r.HandlerFailures} {r.PeerSent ?? -1} {r.PeerDropped} {r.PeerRefused} {r.PeerUnhandled} {r.PeerHandlerFailures} {r.Flushed}");
    }
}
