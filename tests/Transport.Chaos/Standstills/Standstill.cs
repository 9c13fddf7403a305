using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Transport.Chaos.Ledgers;

namespace Transport.Chaos.Standstills;

/// <summary>One standstill, and what must hold of it.</summary>
internal sealed record Standstill(Manner Manner, StandstillAnswer Answer, ProcessMemory MainMore, ReceivedBook Book, WorkerExit End)
{
    private const long Queue = 8 << 20;

    /// <summary>Bytes a byte of queue: what of its segments is not full, and those the pool keeps. In the main node: the read window (256
    /// KiB), the link, and what the runtime makes for a process it starts.</summary>
    private const double MostManaged = 1.15;

    private const long MainManaged = 1 << 20;

    private const double MostSendNs = 2_000;

    private LinkReceipt Receipt => End.Link!.Receipt;

    /// <summary>Writes its rows.</summary>
    public void Write()
    {
        Say($"{Manner}");
        Say($"  packets      offered {Answer.Offered:N0} = queued {Answer.Queued:N0} + ",
            $"{(Manner == Manner.Wait ? 0 : Answer.FullInAll):N0} {(Manner == Manner.Drop ? "dropped" : "refused")}; calls answered ",
            $"Full {Answer.FullInAll:N0}");
        Say($"  received     {Book.Packets:N0}, acknowledged {Answer.Acknowledged:N0}; dropped by the worker's receipt ",
            $"{Answer.Dropped:N0}, reported by Dropped packets {Receipt.PeerDropped:N0} ",
            $"({string.Join(" ", StandstillAnswer.ByLevel(Receipt.PeerDroppedByLevel).Take(6))} by level)");
        Say($"  worker       queue {Answer.QueuedBytes / 1048576.0:0.00} MiB; managed +{Answer.More.Managed / 1048576.0:0.00} MiB, ",
            $"private +{Answer.More.Private / 1048576.0:0.00} MiB");
        Say($"  main node    managed +{MainMore.Managed / 1048576.0:0.00} MiB, private +{MainMore.Private / 1048576.0:0.00} MiB");
        Times("first standstill, 1 s", Answer.FirstCalls);
        Times(Manner == Manner.Wait ? "Send that found capacity" : "Send", Answer.Calls);
        if (Manner == Manner.Wait)
        {
            Say($"  waits        {Answer.FullInAll:N0} of {PacedSender.Deadline.TotalMilliseconds} ms: {Answer.ShortestWaitMs:0.0} to ",
                $"{Answer.LongestWaitMs:0.0} ms");
        }
        else
        {
            Times("  answered Queued", Answer.QueuedCalls);
            Times("  answered Full", Answer.FullCalls);
        }

        Times("a thread that reads the clock", Answer.Clock);
    }

    /// <summary>Finds what did not hold.</summary>
    public IEnumerable<string> Broken() => Packets().Concat(Bounds()).Select(promise => $"{Manner}: {promise}");

    private static void Say(params FormattableString[] parts) =>
        Console.WriteLine("  " + string.Concat(parts.Select(static part => part.ToString(CultureInfo.InvariantCulture))));

    private static void Times(string what, CallTimes times) =>
        Say($"  {what,-30} {times.Count,12:N0} calls, ns: p50 {times.P50:0}, p99 {times.P99:0}, p99.9 {times.P999:0}, max {times.Max:N0}; ",
            $"{times.Over2Micros:N0} over 2 us, {times.Over20Micros:N0} over 20 us");

    private IEnumerable<string> Packets()
    {
        if (!End.IsClean || !Answer.Clean)
        {
            yield return $"a clean end was due: {End.Cause}";
        }

        foreach (string wrong in Book.Wrong)
        {
            yield return wrong;
        }

        // Two more than the events: Hold, twice.
        long all = Answer.Queued + 2;
        if (Book.Packets != Answer.Queued || Answer.Sent != all || Answer.Acknowledged != all || Receipt.Received != all
            || Receipt.PeerSent != all)
        {
            yield return $"queued {Answer.Queued}: came {Book.Packets}; with Hold sent {Answer.Sent}, acknowledged {Answer.Acknowledged}, "
                + $"received {Receipt}";
        }

        long given = Manner == Manner.Wait ? 0 : Answer.FullInAll;
        if (Answer.Offered != Answer.Queued + given || Answer.FullInAll == 0)
        {
            yield return $"offered {Answer.Offered}, queued {Answer.Queued}, answered Full {Answer.FullInAll}";
        }

        // To the packet, and by level: what the caller counted, what its link counted, what the peer was notified.
        long[] due = Manner == Manner.Drop ? Answer.Full : new long[7];
        if (!Answer.DroppedByLevel.SequenceEqual(due) || !StandstillAnswer.ByLevel(Receipt.PeerDroppedByLevel).SequenceEqual(due)
            || Answer.Dropped != due.Sum() || Receipt.PeerDropped != due.Sum())
        {
            yield return $"dropped by level {string.Join(" ", due)}; counted {string.Join(" ", Answer.DroppedByLevel)}, reported {Receipt}";
        }

        // Errors go in until the queue is full, Trace at half of it; levels come evenly.
        if (Manner == Manner.Drop && Enumerable.Range(0, 4).Any(level => Answer.Full[level] <= Answer.Full[level + 1]))
        {
            yield return $"the least level is dropped first: {string.Join(" ", Answer.Full)}";
        }
    }

    private IEnumerable<string> Bounds()
    {
        if (Answer.QueuedBytes > Queue || Answer.QueuedBytes < Queue - 1024)
        {
            yield return $"a full queue has {Queue} bytes, not {Answer.QueuedBytes}";
        }

        if (Answer.More.Managed > Queue * MostManaged)
        {
            yield return $"the worker holds {Answer.More.Managed} bytes more, for a queue of {Queue}";
        }

        if (MainMore.Managed > MainManaged)
        {
            yield return $"the main node holds {MainMore.Managed} bytes more";
        }

        if (Answer.Calls.P999 > MostSendNs)
        {
            yield return $"p99.9 of Send is {Answer.Calls.P999:0} ns";
        }

        if (Manner == Manner.Wait && Answer.ShortestWaitMs < PacedSender.Deadline.TotalMilliseconds - 1)
        {
            yield return $"a call gave up after {Answer.ShortestWaitMs} ms";
        }
    }
}
