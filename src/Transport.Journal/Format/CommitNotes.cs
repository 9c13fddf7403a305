using System;
using System.Buffers.Binary;

namespace Transport.Journal;

/// <summary>The body of Mark and Close records: how commits went.</summary>
internal readonly record struct CommitNotes(JournalCommits Commits, long Packets)
{
    public const int Size = 32;

    private const long TicksPerMicrosecond = TimeSpan.TicksPerMillisecond / 1000;

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt64LittleEndian(to, Commits.Count);
        Put(to.Slice(8), Commits.Median);
        Put(to.Slice(12), Commits.Percentile99);
        Put(to.Slice(16), Commits.Longest);
        Put(to.Slice(20), Commits.LongestSync);
        BinaryPrimitives.WriteInt64LittleEndian(to.Slice(24), Packets);
    }

    /// <summary>Reads what is there; a body that is too short says nothing.</summary>
    public static CommitNotes From(ReadOnlySpan<byte> body) => body.Length < Size
        ? default
        : new CommitNotes(
            new JournalCommits
            {
                Count = BinaryPrimitives.ReadInt64LittleEndian(body),
                Median = Get(body.Slice(8)),
                Percentile99 = Get(body.Slice(12)),
                Longest = Get(body.Slice(16)),
                LongestSync = Get(body.Slice(20)),
            },
            BinaryPrimitives.ReadInt64LittleEndian(body.Slice(24)));

    private static void Put(Span<byte> to, TimeSpan time) =>
        BinaryPrimitives.WriteUInt32LittleEndian(to, (uint)Math.Min(Math.Max(time.Ticks / TicksPerMicrosecond, 0), uint.MaxValue));

    private static TimeSpan Get(ReadOnlySpan<byte> from) =>
        TimeSpan.FromTicks(BinaryPrimitives.ReadUInt32LittleEndian(from) * TicksPerMicrosecond);
}
