using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport.Chaos.Ledgers;

/// <summary>What docs/guide/tail.md promises of a process that died with its link open: each lane goes on up to its first packet without a
/// record, and what is gone is counted to the packet.</summary>
internal static class TailPromise
{
    public static readonly Lane[] Lanes = [Lane.Urgent, Lane.Normal, Lane.Bulk];

    /// <summary>Finds what was not kept.</summary>
    /// <param name="page">The process's own book.</param>
    /// <param name="book">What came.</param>
    /// <param name="copy">Its tail, as it lay there at its exit; null if it died before it used one.</param>
    /// <param name="end">What the main node says.</param>
    /// <param name="all">Its queue cannot hold more than its tail: nothing may be lost.</param>
    public static IEnumerable<string> Broken(LedgerPage page, ReceivedBook book, TailCopy? copy, WorkerExit end, bool all)
    {
        if (end.Link is not { Receipt: var receipt })
        {
            return page.QueuedInAll == 0 ? [] : [$"it had no link, and queued {page.QueuedInAll}"];
        }

        return copy is null ? ["it had a link, and no tail"]
            : receipt.Tail is not { } tail ? ["its tail was not read"]
            : Lanes.SelectMany(lane => In(lane, page, book, copy, all)).Concat(Counts(book, copy, tail));
    }

    /// <summary>Gets how many packets were queued and are gone.</summary>
    public static long LostIn(Lane lane, ReceivedBook book, TailCopy copy) => Math.Max(0, copy.Committed(lane) - book.Came(lane));

    private static IEnumerable<string> In(Lane lane, LedgerPage page, ReceivedBook book, TailCopy copy, bool all)
    {
        long came = book.Came(lane), queued = page.QueuedIn(lane), tried = page.TriedIn(lane);

        // A record is published before the count: an exit between the two leaves one packet more than is counted.
        long committed = Math.Max(copy.Committed(lane), came);
        if (committed < queued || committed > tried)
        {
            yield return $"lane {lane}: the tail counts {committed} packets; the process wrote down {queued} queued, {tried} tried";
        }

        if (copy.Has(lane, came + 1))
        {
            yield return $"lane {lane}: {came} came, and the next one has a record";
        }

        if (came < queued && (all || copy.Unrecorded(lane) == 0))
        {
            yield return $"lane {lane}: {came} came of {queued} queued, and "
                + $"{(all ? "the tail holds all that can be queued" : "none found the tail full")}";
        }
    }

    private static IEnumerable<string> Counts(ReceivedBook book, TailCopy copy, TailReport tail)
    {
        long lost = Lanes.Sum(lane => LostIn(lane, book, copy));
        if (tail.Lost != lost || tail.Problem is not null)
        {
            yield return $"{lost} are lost; the main node says: {tail}";
        }

        if (tail.Packets > Lanes.Sum(lane => copy.Records(lane)))
        {
            yield return $"the main node took more packets than the tail has: {tail}";
        }
    }
}
