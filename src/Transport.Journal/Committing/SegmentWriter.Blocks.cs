using System;
using System.Diagnostics;
using System.Threading;

namespace Transport.Journal;

/// <content>
/// Writing in blocks: each commit is a write of whole blocks that is durable when it is complete, a Pad record fills the last one, and
/// several are under way at once (docs/design/journal.md, "Blocks").
/// Nothing is ever written twice, so no block that is durable can be torn by a later commit.
/// </content>
internal sealed partial class SegmentWriter
{
    /// <summary>
    /// The bytes kept free in each segment: a block that a commit may need for its Pad, one for a Gap and one for the close record.
    /// </summary>
    private const int BlockReserve = 3 * Block.Bytes;

    private readonly byte[] _fill = new byte[2 * Block.Bytes];
    private Flight? _flight;

    /// <summary>Gets a value indicating whether commits overlap.</summary>
    public bool IsInBlocks => _flight is not null;

    /// <summary>Gets a value indicating whether no commit is under way.</summary>
    public bool IsFlightEmpty => _flight!.IsEmpty;

    /// <summary>Gets a value indicating whether as many commits are under way as there may be.</summary>
    public bool IsFlightFull => _flight!.IsFull;

    /// <summary>Writes in blocks from here on. All that is written is synced.</summary>
    /// <param name="device">What writes them; owned from here on.</param>
    /// <param name="timed">Hears how long each commit took, in ticks of the stopwatch.</param>
    /// <exception cref="JournalException">The journal has failed.</exception>
    public void UseBlocks(IBlockWriter device, Action<long> timed)
    {
        long gap = Gap(_end);
        if (_end + gap + BlockReserve > _segment.Length)
        {
            _end = _segment.Length;   // the next record goes into the next segment
        }
        else if (gap > 0)
        {
            WriteAll(Pad((int)gap));
            Sync();
        }

        var flight = new Flight(device) { Timed = timed };
        try
        {
            flight.Use(FileNames.Segment(_segment.Sequence), Synced);
        }
        catch (StoreException e)
        {
            throw _failure.Set(Faults.From(e, JournalFault.WriteFailed));
        }

        _flight = flight;
    }

    /// <summary>Waits for a commit that is under way.</summary>
    /// <returns>False if <see cref="Wake"/> ended the wait.</returns>
    /// <exception cref="JournalException">It failed, and the journal with it.</exception>
    public bool Reap()
    {
        // Also after a failure: the owner of the flight waits until nothing is under way.
        long began = Stopwatch.GetTimestamp();
        bool isOver = WaitFor(_flight!);
        LongestSync = Math.Max(LongestSync, Stopwatch.GetTimestamp() - began);
        Volatile.Write(ref _synced, Math.Max(_synced, _flight!.Done));
        ThrowIfFailed(_flight.Error);
        return isOver;
    }

    /// <summary>Ends a wait. From any thread.</summary>
    public void Wake() => _flight?.Wake();

    /// <summary>What a record of a size takes of the segment.</summary>
    private long Taken(long whole) => _flight is null ? whole : Block.Up(whole);

    private static long Gap(long end)
    {
        long gap = Block.Up(end) - end;
        return gap is > 0 and < RecordHeader.Size ? gap + Block.Bytes : gap;
    }

    private bool WaitFor(Flight flight)
    {
        try
        {
            return flight.Wait();
        }
        catch (StoreException e)
        {
            throw _failure.Set(Faults.From(e, JournalFault.WriteFailed));
        }
    }

    private Span<byte> Pad(int gap)
    {
        Span<byte> fill = _fill.AsSpan(0, gap);
        fill.Clear();
        if (gap > 0)
        {
            RecordHeader.Begin(fill, RecordKind.Pad, _position, Epoch, 0, 0, gap - RecordHeader.Size, _lastTime);
            _chain = RecordHeader.Finish(fill, _chain, Synced);
        }

        return fill;
    }

    private void Send(Flight flight, ReadOnlySpan<byte> records)
    {
        if (records.IsEmpty)
        {
            return;
        }

        _failure.ThrowIfAny();
        Span<byte> fill = Pad((int)Gap(_end + records.Length));
        try
        {
            flight.Send(records, fill, _end, _position);
        }
        catch (StoreException e)
        {
            throw _failure.Set(Faults.From(e, JournalFault.WriteFailed));
        }

        ThrowIfFailed(flight.Error);
        _end += records.Length + fill.Length;
        WrittenBytes += records.Length + fill.Length;
        Volatile.Write(ref _synced, Math.Max(_synced, flight.Done));
    }

    private StoreError Land(Flight flight)
    {
        while (!flight.IsEmpty)
        {
            _ = WaitFor(flight);
        }

        return flight.Error;
    }

    private void ThrowIfFailed(StoreError error)
    {
        error = error == StoreError.None && _directory.WasDeleted(_file, _segment.Sequence) ? StoreError.Deleted : error;
        if (error != StoreError.None)
        {
            JournalException failure = _failure.Set(Faults.Committing(error, FileNames.Segment(_segment.Sequence), _end));
            _directory.NoteFailedSync(_segment.Sequence);
            throw failure;
        }
    }
}
