using System;
using System.Collections.Generic;
using System.IO;

namespace Transport.Fuzz.Targets;

/// <summary>Turns an input into what an exited worker may leave: the file of its tail, and the stream it had written. Sums are right unless
/// the input says otherwise, because a process that can write the file can sum up.</summary>
/// <remarks>Byte 0: the file's size. 1 and 2: where in its rings the first record lies, and how often they went round. Then steps:
/// <see cref="Bits"/>, and what each needs.</remarks>
internal sealed class TailScript
{
    private readonly byte[] _input;
    private readonly long[] _offset = new long[4];
    private readonly long[] _packets = new long[4];
    private readonly long[] _head = new long[4];
    private readonly long[] _end = new long[4];
    private readonly MemoryStream _stream = new();
    private readonly List<Placed> _records = [];
    private readonly List<Action> _patches = [];
    private int _at;

    public TailScript(byte[] input)
    {
        _input = input;
        int size = Byte();
        File = new byte[TailLayout.Least + (size & 0x3f) + ((size >> 6) * 4_096)];
        Put(0, TailLayout.Magic);
        int place = Byte(), rounds = Byte();
        for (Lane lane = Lane.Urgent; lane <= Lane.Bulk; lane++)
        {
            int steps = TailLayout.RingOf(lane, File.Length).Size / TailLayout.Step;
            _head[(int)lane] = _end[(int)lane] = (((long)rounds * steps) + (steps * place / 256)) * TailLayout.Step;
        }

        while (_at < input.Length)
        {
            Step((Bits)Byte());
        }

        for (Lane lane = Lane.Urgent; lane <= Lane.Bulk; lane++)
        {
            Publish(lane);
        }

        Stream = _stream.ToArray();
        _records.ForEach(SumUp);
        _patches.ForEach(patch => patch());
    }

    /// <summary>What a step does; the low two bits are the lane, 0: a patch of what stands there in the end.</summary>
    [Flags]
    private enum Bits
    {
        /// <summary>The packet was written to the stream.</summary>
        Written = 4,

        /// <summary>It has no record.</summary>
        Unrecorded = 8,

        /// <summary>Its sum is another.</summary>
        Torn = 16,

        /// <summary>Three bytes follow, by which its place in the lane's stream, its number and its length are others than they should
        /// be.</summary>
        Moved = 32,

        /// <summary>Its record is free again.</summary>
        Freed = 64,
    }

    public byte[] File { get; }

    public byte[] Stream { get; }

    /// <summary>Makes a valid input: packets of a lane, of which some were written, and some freed.</summary>
    public static byte[] Valid(byte size, byte place, params (Lane Lane, bool Written, bool Freed, byte[] Frames)[] packets)
    {
        List<byte> input = [size, place, 3];
        foreach ((Lane lane, bool written, bool freed, byte[] frames) in packets)
        {
            input.Add((byte)((int)lane | (written ? (int)Bits.Written : 0) | (freed ? (int)Bits.Freed : 0)));
            input.Add((byte)frames.Length);
            input.Add((byte)(frames.Length >> 8));
            input.AddRange(frames);
        }

        return [.. input];
    }

    private void Step(Bits bits)
    {
        var lane = (Lane)((int)bits & 3);
        if (lane == Lane.Control)
        {
            Patch(Byte(), Byte());
            return;
        }

        (int offset, int number, int more) = bits.HasFlag(Bits.Moved) ? ((sbyte)Byte(), (sbyte)Byte(), (sbyte)Byte()) : (0, 0, 0);
        int length = Math.Min(Byte() | (Byte() << 8), _input.Length - _at);
        byte[] frames = _input.AsSpan(Math.Min(_at, _input.Length), Math.Max(0, length)).ToArray();
        _at += frames.Length;
        if (bits.HasFlag(Bits.Written))
        {
            _stream.Write(frames, 0, frames.Length);
        }

        _packets[(int)lane]++;
        (int start, int size) = TailLayout.RingOf(lane, File.Length);
        if (!bits.HasFlag(Bits.Unrecorded) && TailLayout.SizeOf(frames.Length) <= size - (_end[(int)lane] - _head[(int)lane]))
        {
            var record = new Placed(start, size, _end[(int)lane], _offset[(int)lane] + offset, _packets[(int)lane] + number, frames.Length
                + more, bits.HasFlag(Bits.Torn));
            Place(record, frames);
            _end[(int)lane] += TailLayout.SizeOf(frames.Length);
            _head[(int)lane] = bits.HasFlag(Bits.Freed) ? _end[(int)lane] : _head[(int)lane];
        }

        _offset[(int)lane] += frames.Length;
    }

    private void Place(Placed record, byte[] frames)
    {
        for (int i = 0; i < frames.Length; i++)
        {
            File[record.Start + ((record.At + TailLayout.RecordHeader + i) % record.Size)] = frames[i];
        }

        Put(record.Start + record.At + TailLayout.Offset, record.Offset);
        Put(record.Start + record.At + TailLayout.PacketsSoFar, record.Packets);
        Put(record.Start + record.At + TailLayout.Length, record.Length);
        _records.Add(record);
    }

    /// <summary>Writes a record's sum, over as many bytes as it says it has.</summary>
    private unsafe void SumUp(Placed record)
    {
        long padded = TailLayout.SizeOf(record.Length) - TailLayout.RecordHeader;
        if (record.Length > 0 && padded <= record.Size)
        {
            fixed (byte* file = File)
            {
                int body = (record.At + TailLayout.RecordHeader) % record.Size;
                long sum = TailSum.Of(
                    file + record.Start, record.Size, body, (int)padded, record.Position, record.Offset, record.Packets, record.Length);
                Put(record.Start + record.At + TailLayout.Sum, sum + (record.Torn ? 1 : 0));
            }
        }
    }

    private void Publish(Lane lane)
    {
        int block = TailLayout.BlockOf(lane);
        Put(block + TailLayout.End, _end[(int)lane]);
        Put(block + TailLayout.Head, _head[(int)lane]);
        Put(block + TailLayout.Bytes, _offset[(int)lane]);
        Put(block + TailLayout.Packets, _packets[(int)lane]);
    }

    /// <summary>Puts another number where one of those stands that the reader goes by, or anywhere.</summary>
    private void Patch(int kind, int how)
    {
        int lane = 1 + (kind % 3), field = kind / 3 % 10, block = TailLayout.BlockOf((Lane)lane);
        int[] fields = [block + TailLayout.End, block + TailLayout.Head, block + TailLayout.Bytes, block + TailLayout.Packets];
        (int start, int size) = TailLayout.RingOf((Lane)lane, File.Length);
        int at = field < fields.Length ? fields[field]
            : field < 8 ? start + (int)(_head[lane] % size) + (8 * (field - 4))
            : (Byte() | (Byte() << 8)) % (File.Length - 7);
        long value = 0;
        for (int i = 0; how >= 128 && i < 64; i += 8)
        {
            value |= (long)Byte() << i;
        }

        // Mostly a few steps beside what is right: there the reader's own comparisons decide.
        _patches.Add(() => Put(
            at, how >= 128 ? value : BitConverter.ToInt64(File, at) + (((how % 64) - 32L) * (how < 64 ? TailLayout.Step : 1))));
    }

    private void Put(int at, long value) => BitConverter.GetBytes(value).CopyTo(File, at);

    private byte Byte() => _at < _input.Length ? _input[_at++] : (byte)0;

    private sealed record Placed(int Start, int Size, long Position, long Offset, long Packets, long Length, bool Torn)
    {
        public int At => (int)(Position % Size);
    }
}
