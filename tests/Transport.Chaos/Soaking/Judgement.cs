using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using Transport.Chaos.Ledgers;

namespace Transport.Chaos.Soaking;

/// <summary>Holds one process's own book against what came of it.</summary>
internal sealed class Judgement(
    Fate fate, LedgerPage page, TailCopy? tail, ReceivedBook book, WorkerExit end, long queuedByMain, Tally tally, string name)
{
    private long Answered => page.QueuedInAll + page[LedgerPage.Refused] + page.DroppedInAll + page[LedgerPage.Closed];

    /// <summary>Reports the tally everything.</summary>
    public void Pronounce()
    {
        foreach (string wrong in book.Wrong.Concat(Beginnings()).Concat(AtAnyEnd())
            .Concat(fate.IsClean() ? AtACleanEnd() : fate.IsExit() ? TailPromise.Broken(page, book, tail, end, all: false) : []))
        {
            tally.Break($"{name}, ended {end.Cause}: {wrong}");
        }

        tally.Packets("1 offered", page[LedgerPage.Offered]);
        tally.Packets("2 queued", page.QueuedInAll);
        tally.Packets("3 refused (Full, kept by the caller)", page[LedgerPage.Refused]);
        tally.Packets("4 dropped (Full, counted and reported)", page.DroppedInAll);
        tally.Packets("5 answered Closed", page[LedgerPage.Closed]);
        tally.Packets("6 not built: below the level", page[LedgerPage.BelowLevel]);
        tally.Packets("7 received", book.Packets);
        tally.Packets("8 MB received", book.Bytes >> 20);
        tally.Packets("8 received from the tail of an exited process", end.Link?.Receipt.Tail?.Packets ?? 0);
        tally.Packets("9 queued, and died with their process or link", fate.IsClean() ? 0 : Math.Max(0, page.QueuedInAll - book.Packets));
        double ms = 1000.0 / Stopwatch.Frequency;
        tally.Urgent(book.WorstUrgent.All * ms, book.WorstUrgent.Undisturbed * ms);
    }

    /// <summary>Nothing is received that was not sent, and nothing twice: the book has seen to the order.</summary>
    private IEnumerable<string> Beginnings() =>
        from producer in Enumerable.Range(0, LedgerPage.Producers)
        from lane in new[] { Lane.Urgent, Lane.Normal, Lane.Bulk }
        let came = book.Came(producer, lane)
        let tried = page[LedgerPage.Tried(producer, lane)]
        where came > tried
        select $"producer {producer}, lane {lane}: {came} came, {tried} were sent";

    private IEnumerable<string> AtAnyEnd()
    {
        var promise = Promise.Of(fate);
        if (book.Packets < promise.AtLeast(page))
        {
            yield return $"promised was {promise.Name}: {promise.AtLeast(page)}, came {book.Packets}";
        }

        // At a sudden end each producer may have been in the middle of one.
        long unanswered = page[LedgerPage.Offered] - Answered;
        if (unanswered < 0 || unanswered > (fate.IsClean() ? 0 : LedgerPage.Producers))
        {
            yield return $"offered {page[LedgerPage.Offered]}, but {Answered} were queued, refused, dropped or answered Closed";
        }

        if (end.Link is { Receipt: var receipt })
        {
            if (receipt.Received != book.Packets)
            {
                yield return $"the main node's receipt says {receipt.Received} received, its handler had {book.Packets}";
            }

            if (receipt.Sent + receipt.Dropped != queuedByMain)
            {
                yield return $"the main node queued {queuedByMain}: its receipt says {receipt}";
            }

            if (page[LedgerPage.Received] > queuedByMain)
            {
                yield return $"the worker received {page[LedgerPage.Received]}, the main node queued {queuedByMain}";
            }
        }

        if (fate is Fate.Kill or Fate.KillEarly && end.Process.Signal != Native.Kill)
        {
            yield return "it was killed by SIGKILL";
        }

        if (fate == Fate.Leave && end.Process.ExitCode != 3)
        {
            yield return "it left with exit code 3";
        }
    }

    private IEnumerable<string> AtACleanEnd()
    {
        if (!end.IsClean || page[LedgerPage.CleanEnd] != 1)
        {
            yield return $"a clean end was due: {end}";
            yield break;
        }

        LinkReceipt receipt = end.Link!.Receipt;
        long queued = page.QueuedInAll;
        if (queued != page[LedgerPage.Sent] || queued != page[LedgerPage.Acknowledged] || queued != book.Packets
            || queued != receipt.PeerSent)
        {
            yield return $"queued {queued} = sent {page[LedgerPage.Sent]} = received {book.Packets} = acknowledged "
                + $"{page[LedgerPage.Acknowledged]} = reported in Goodbye {receipt.PeerSent}";
        }

        long[] reported = [.. Enumerable.Range(0, 7).Select(level => receipt.PeerDroppedByLevel.GetValueOrDefault((PacketLevel)level))];
        if (page.DroppedInAll != page[LedgerPage.ReceiptDropped] || page.DroppedInAll != receipt.PeerDropped
            || !reported.SequenceEqual(page.Entries.Skip(LedgerPage.Dropped).Take(7)))
        {
            yield return $"dropped {page.DroppedInAll}, in the receipt {page[LedgerPage.ReceiptDropped]}, reported {receipt.PeerDropped} "
                + $"({string.Join(" ", reported)})";
        }

        if (receipt.Sent != queuedByMain || receipt.Acknowledged != queuedByMain || page[LedgerPage.Received] != queuedByMain)
        {
            yield return $"the main node queued {queuedByMain}: {receipt}; the worker received {page[LedgerPage.Received]}";
        }
    }
}
