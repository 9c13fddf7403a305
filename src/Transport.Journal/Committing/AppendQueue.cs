using System;
using System.Buffers.Binary;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>
/// What was appended and is not written yet, in order, and the buffers for it. Everything here happens under the engine's gate.
/// </summary>
internal sealed class AppendQueue(int batchBytes, long mostQueued, uint epoch, Func<int, byte[]> allocate)
{
    private readonly long _mostFree = (mostQueued / batchBytes) + 2;   // a queue that was full once is filled again without new ones

    private readonly long _enough = Math.Min(batchBytes, mostQueued) / 2;

    private AppendBatch? _first;
    private AppendBatch? _last;
    private AppendBatch? _free;
    private AppendBatch? _large;
    private int _freeCount;

    /// <summary>Gets the bytes that are not written yet, those that are just being written included.</summary>
    public long Bytes { get; private set; }

    public bool IsEmpty => _first is null;

    /// <summary>Gets a value indicating whether there is so much that a commit of its own is worth while: half of a batch.</summary>
    public bool HasEnough => _first is { } first && (first.Next is not null || first.Used >= _enough);

    /// <summary>Copies a packet behind its header; what is known only later is left open. If there is no memory for it, nothing has
    /// changed.</summary>
    /// <returns>The bytes of the record.</returns>
    public int Put(long position, JournalNode node, ushort type, ReadOnlySpan<byte> body, long time, AppendNote note)
    {
        ReadOnlySpan<byte> name = node.Utf8;
        int whole = (int)RecordHeader.WholeSize(name.Length, body.Length);
        AppendBatch batch = _last is { } last && last.Bytes.Length - last.Used >= whole ? last : Add(whole);
        Span<byte> to = batch.Bytes.AsSpan(batch.Used, whole);
        BinaryPrimitives.WriteUInt64LittleEndian(to.Slice(whole - sizeof(ulong)), 0);   // the padding, whatever was there
        RecordHeader.Begin(to, RecordKind.Packet, position, epoch, type, name.Length, body.Length, time);
        RecordHeader.Note(to, note);
        name.CopyTo(to.Slice(RecordHeader.Size));
        body.CopyTo(to.Slice(RecordHeader.Size + name.Length));
        batch.Used += whole;
        ByteMoves.Note("1 record: copied into the batch", body.Length, whole);
        Bytes += whole;
        return whole;
    }

    /// <summary>Hands everything over to who commits; null if there is nothing.</summary>
    public AppendBatch? TakeAll()
    {
        AppendBatch? first = _first;
        (_first, _last) = (null, null);
        return first;
    }

    /// <summary>Puts back what was not written, in front of what came meanwhile.</summary>
    public void PutBack(AppendBatch first)
    {
        AppendBatch last = first;
        while (last.Next is { } next)
        {
            last = next;
        }

        last.Next = _first;
        _last ??= last;
        _first = first;
    }

    /// <summary>Takes written batches back to be filled again.</summary>
    public void Return(AppendBatch? first)
    {
        while (first is not null)
        {
            AppendBatch? next = first.Next;
            Bytes -= first.Used;
            (first.Used, first.Done, first.Next) = (0, 0, null);
            if (first.Bytes.Length != batchBytes)
            {
                _large = _large is null || _large.Bytes.Length < first.Bytes.Length ? first : _large;
            }
            else if (_freeCount < _mostFree)
            {
                first.Next = _free;
                _free = first;
                _freeCount++;
            }

            first = next;
        }
    }

    /// <summary>Notes that packets were refused: gaps are written in their place.</summary>
    /// <returns>Whether nothing but refused packets waits.</returns>
    public bool Refuse(long from, long to)
    {
        bool onlyRefused = true;
        for (AppendBatch? batch = _first; batch is not null; batch = batch.Next)
        {
            for (int at = batch.Done; at < batch.Used;)
            {
                Span<byte> record = batch.Bytes.AsSpan(at);
                var header = RecordHeader.Read(record);
                if (header.Position >= from && header.Position <= to)
                {
                    RecordHeader.Note(record, RecordHeader.NoteOf(record) | AppendNote.Refused);
                }

                onlyRefused &= (RecordHeader.NoteOf(record) & AppendNote.Refused) != 0;
                at += (int)header.Whole;
            }
        }

        return onlyRefused;
    }

    /// <summary>Copies packets that wait, in order; they stay.</summary>
    /// <param name="after">Those behind this position.</param>
    /// <param name="most">About how many bytes, but one packet at least.</param>
    /// <param name="into">Takes them.</param>
    public void Copy(long after, int most, List<WaitingPacket> into)
    {
        for (AppendBatch? batch = _first; batch is not null && most > 0; batch = batch.Next)
        {
            for (int at = batch.Done; at < batch.Used && most > 0;)
            {
                ReadOnlySpan<byte> record = batch.Bytes.AsSpan(at);
                var header = RecordHeader.Read(record);
                if (header.Position > after && (RecordHeader.NoteOf(record) & AppendNote.Refused) == 0)
                {
                    byte[] body = record.Slice(RecordHeader.Size + header.NodeBytes, (int)header.Length).ToArray();
                    into.Add(new WaitingPacket(header.Position, header.Type, body));
                    most -= (int)header.Whole;
                }

                at += (int)header.Whole;
            }
        }
    }

    private AppendBatch Add(int whole)
    {
        AppendBatch batch = whole <= batchBytes ? TakeFree() : TakeLarge(whole);
        if (_last is null)
        {
            _first = batch;
        }
        else
        {
            _last.Next = batch;
        }

        return _last = batch;
    }

    private AppendBatch TakeFree()
    {
        if (_free is not { } batch)
        {
            return new AppendBatch(allocate(batchBytes));
        }

        _free = batch.Next;
        batch.Next = null;
        _freeCount--;
        return batch;
    }

    /// <summary>One large buffer is kept: packets beyond a batch are few.</summary>
    private AppendBatch TakeLarge(int whole)
    {
        if (_large is { } kept && kept.Bytes.Length >= whole)
        {
            _large = null;
            return kept;
        }

        return new AppendBatch(allocate(whole));
    }
}

/// <summary>A packet that is appended and not written.</summary>
/// <param name="Position">Its position.</param>
/// <param name="Type">Its type.</param>
/// <param name="Body">A copy of its body.</param>
internal readonly record struct WaitingPacket(long Position, ushort Type, byte[] Body);
