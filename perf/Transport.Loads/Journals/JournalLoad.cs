using System;
using System.Globalization;

namespace Transport.Loads.Journals;

/// <summary>What producers do with a journal.</summary>
/// <param name="Sync">The policy.</param>
/// <param name="Way">How they append.</param>
/// <param name="Size">Bytes of a body; at least 16.</param>
/// <param name="Producers">How many there are.</param>
/// <param name="Depth">Records between two waits of one producer.</param>
/// <param name="BackEnd">The back end.</param>
internal sealed record JournalLoad(string Sync, JournalWay Way, int Size = 256, int Producers = 1, int Depth = 1, string BackEnd = "write")
{
    public static JournalLoad Parse(ReadOnlySpan<string> words) => new(
        words[0],
        Enum.Parse<JournalWay>(words[1]),
        int.Parse(words[2], CultureInfo.InvariantCulture),
        int.Parse(words[3], CultureInfo.InvariantCulture),
        int.Parse(words[4], CultureInfo.InvariantCulture),
        words[5]);

    public override string ToString() => FormattableString.Invariant($"{Sync} {Way} {Size} {Producers} {Depth} {BackEnd}");
}

/// <summary>How a producer appends.</summary>
internal enum JournalWay
{
    /// <summary>A thread: one append of all records of a turn, which returns when they are acknowledged.</summary>
    Threads,

    /// <summary>An asynchronous loop: one append of all records of a turn, awaited.</summary>
    Tasks,

    /// <summary>An asynchronous loop: an append for each record of a turn, then each of their tasks is awaited.</summary>
    TaskEach,

    /// <summary>A thread that does not wait: it queues, and if the queue is full waits until half of it is gone.</summary>
    Queue,
}
