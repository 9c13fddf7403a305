using System;
using Transport.Chaos.Soaking;

namespace Transport.Chaos.Ledgers;

/// <summary>What is promised of a process's packets, by how it ended: at least how many of them are received. Whatever is received is a
/// gapless beginning of each lane in any case.</summary>
/// <param name="Name">For people.</param>
/// <param name="AtLeast">How many, by the process's own book.</param>
/// <remarks>What an exited process's tail adds to it: <see cref="TailPromise"/>.</remarks>
internal sealed record Promise(string Name, Func<LedgerPage, long> AtLeast)
{
    /// <summary>A clean end: everything that was queued, and not one more.</summary>
    public static Promise Everything { get; } = new("everything queued", page => page.QueuedInAll);

    /// <summary>The process died: what it had written lies in the system's buffers, and is read to its end.</summary>
    public static Promise Written { get; } = new(
        "everything written", page => Math.Max(page[LedgerPage.Sent], page[LedgerPage.Acknowledged]));

    /// <summary>The main node cut the link, and reads no more.</summary>
    public static Promise Acknowledged { get; } = new("everything acknowledged", page => page[LedgerPage.Acknowledged]);

    public static Promise Of(Fate fate) => fate switch
    {
        Fate.CloseByMain or Fate.CloseByWorker => Everything,
        Fate.CutByMain => Acknowledged,
        _ => Written,
    };
}
