using System.Linq;

namespace Transport.Chaos.Ledgers;

/// <summary>What a worker's book says. Entries are longs at fixed places.</summary>
/// <param name="Entries">All of them.</param>
internal sealed record LedgerPage(long[] Entries)
{
    public const int Producers = 3;
    public const int Longs = 512;

    /// <summary>Sends tried: each is queued, refused, dropped or closed; at an exit one of each producer may be none of them yet.</summary>
    public const int Offered = 0;

    /// <summary>Answered Full, and the caller's again.</summary>
    public const int Refused = 1;

    /// <summary>Answered Full, and given up, by level in the seven entries from here.</summary>
    public const int Dropped = 2;

    /// <summary>Answered Closed.</summary>
    public const int Closed = 9;

    /// <summary>Not even built, because the main node wants no such level.</summary>
    public const int BelowLevel = 10;

    /// <summary>What the link's receipt last said.</summary>
    public const int Sent = 11, Acknowledged = 12, ReceiptDropped = 13;

    /// <summary>Parcels of the main node.</summary>
    public const int Received = 14;

    /// <summary>1 if the link ended cleanly and the receipt is final.</summary>
    public const int CleanEnd = 15;

    public long this[int entry] => Entries[entry];

    /// <summary>Gets where the count of packets that a producer began to send in a lane stands; the count of those that were queued stands
    /// behind it.</summary>
    public static int Tried(int producer, Lane lane) => 16 + (2 * ((producer * 4) + (int)lane));

    public static int Queued(int producer, Lane lane) => Tried(producer, lane) + 1;

    /// <summary>Gets the packets queued in all.</summary>
    public long QueuedInAll => Sum(Queued);

    /// <summary>Gets how many packets were queued in a lane.</summary>
    public long QueuedIn(Lane lane) => Enumerable.Range(0, Producers).Sum(producer => Entries[Queued(producer, lane)]);

    /// <summary>Gets how many packets at most were queued in a lane: those whose <c>Send</c> had not answered among them.</summary>
    public long TriedIn(Lane lane) => Enumerable.Range(0, Producers).Sum(producer => Entries[Tried(producer, lane)]);

    public long DroppedInAll => Entries.Skip(Dropped).Take(7).Sum();

    private long Sum(System.Func<int, Lane, int> entry) =>
        Enumerable.Range(0, Producers).Sum(producer => Entries[entry(producer, Lane.Urgent)] + Entries[entry(producer, Lane.Normal)]
            + Entries[entry(producer, Lane.Bulk)]);
}
