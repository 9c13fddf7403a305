using System;

namespace Transport.Journal;

/// <summary>
/// After a failed sync: everything above the last position that is proved to be synced goes into a new segment, which is synced before it
/// has its name. The old one is never written again;
/// what stands in it from the new one's first position on does not count.
/// </summary>
internal sealed class TailCopy(
    IJournalStore store, JournalOptions options, JournalState state, Func<long, long, uint, uint, SegmentHeader> header)
{
    private uint _chain;
    private long _at;

    /// <summary>Copies, and returns the writer behind the copy.</summary>
    /// <param name="directory">The files.</param>
    /// <param name="based">The position after which new packets come.</param>
    /// <param name="open">The body of the Open record.</param>
    public SegmentWriter Run(SegmentDirectory directory, long based, byte[] open)
    {
        SegmentState last = state.Last!;
        using IJournalFile old = store.Open(last.Name, writable: false);
        (long from, uint previous, long position) = FindCut(last, old);
        directory.TakeOver(state);
        uint epoch = state.HighestEpoch + 1;
        long capacity = last.End - from + (2 * RecordHeader.WholeSize(0, open.Length)) + RecordHeader.Size;
        (IJournalFile file, SegmentHeader begun) = directory.Begin(header(last.Sequence + 1, position + 1, epoch, previous), capacity,
            (to, head) => Fill(old, last, from, to, head, position, based, open));
        directory.Close(last.Sequence, position, last.LastTime);
        store.Delete(FileNames.Failed(last.Sequence));
        store.SyncDirectory();
        return new SegmentWriter(directory, options, file, begun, _at, _chain, based, epoch);
    }

    /// <summary>
    /// The end of the last packet, or gap, that is known to be synced. A mark behind it, or an Open record of the same position, proves
    /// nothing of itself: the sync that failed may have lost it, and the copy would follow a record that is not there.
    /// </summary>
    private (long Offset, uint Chain, long Position) FindCut(SegmentState last, IJournalFile old)
    {
        var scanner = new RecordScanner(old, last.Header);
        (long Offset, uint Chain, long Position) cut = (scanner.Offset, scanner.Chain, scanner.Position);
        while (scanner.Offset < last.End && scanner.Next() && scanner.Position <= state.Synced)
        {
            cut = scanner.IsCounted ? (scanner.Offset, scanner.Chain, scanner.Position) : cut;
        }

        return cut;
    }

    private void Fill(IJournalFile old, SegmentState last, long from, IJournalFile to, in SegmentHeader head, long position, long based,
        byte[] open)
    {
        (_chain, _at) = (head.Sum, SegmentHeader.Size);
        Put(to, RecordKind.Open, position, head.Epoch, position, head.Time, open);
        var scanner = new RecordScanner(old, last.Header);
        long reached = position;
        while (scanner.Offset < last.End && scanner.Next())
        {
            if (scanner.RecordAt < from || scanner.Kind != RecordKind.Packet)
            {
                continue;
            }

            if (scanner.Position > reached + 1)
            {
                Put(to, RecordKind.Gap, scanner.Position - 1, head.Epoch, position, head.Time, default);
            }

            byte[] record = scanner.Record.ToArray();
            RecordHeader was = scanner.Header;
            RecordHeader.Begin(record, RecordKind.Packet, was.Position, head.Epoch, was.Type, was.NodeBytes, (int)was.Length, was.Time);
            Write(to, record, position);
            reached = was.Position;
        }

        if (based > reached)
        {
            Put(to, RecordKind.Gap, based, head.Epoch, position, head.Time, default);
        }
    }

    private void Put(IJournalFile to, RecordKind kind, long position, uint epoch, long synced, long time, byte[]? body)
    {
        byte[] record = new byte[RecordHeader.WholeSize(0, body?.Length ?? 0)];
        RecordHeader.Begin(record, kind, position, epoch, 0, 0, body?.Length ?? 0, time);
        body?.CopyTo(record, RecordHeader.Size);
        Write(to, record, synced);
    }

    private void Write(IJournalFile to, byte[] record, long synced)
    {
        _chain = RecordHeader.Finish(record, _chain, synced);
        StoreError error = to.WriteAll(_at, record);
        if (error != StoreError.None)
        {
            throw new StoreException(error, $"What is kept of a segment whose sync failed cannot be copied ({error})");
        }

        _at += record.Length;
    }
}
