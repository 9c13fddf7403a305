using System;
using System.Collections.Generic;
using Transport.Fuzz.Inputs;

namespace Transport.Fuzz.Targets;

/// <summary>The frame reader: the same frames and the same fault, in the same words, however the stream is cut; and those that a plain
/// reading of PROTOCOL.md finds.</summary>
internal sealed class FrameTarget : FuzzTarget
{
    private static readonly TransportFault[] Allowed = [TransportFault.FrameCorrupt];

    public override string Name => "frames";

    public override int Share => 230;

    public override bool TakesFrames => true;

    public override IEnumerable<byte[]> Seeds() => Streams.All();

    public override ulong Run(byte[] input)
    {
        (ulong frames, int count, TransportException? fault, int rest) = Cut(input, Chunks.Whole);
        Compare(input, Chunks.Random(input, 1), frames, fault);
        if (input.Length < 400)
        {
            Compare(input, Chunks.Single, frames, fault);
        }

        (int expected, bool corrupt) = PlainFrames.Count(input);
        FuzzFailure.Unless(count == expected && fault is not null == corrupt,
            $"{count} frames and {fault?.Message ?? "no fault"}; PROTOCOL.md reads {expected} and {(corrupt ? "a fault" : "none")}");
        return Faults.Print(fault) ^ ((ulong)Math.Min(count, 40) << 8) ^ (ulong)Math.Min(rest, 12);
    }

    private static void Compare(byte[] input, Chunks chunks, ulong frames, TransportException? fault)
    {
        (ulong others, int count, TransportException? other, _) = Cut(input, chunks);
        FuzzFailure.Unless(others == frames && other?.Message == fault?.Message,
            $"in pieces {count} frames and {other?.Message ?? "no fault"}, whole {fault?.Message ?? "no fault"}");
    }

    private static (ulong Frames, int Count, TransportException? Fault, int Left) Cut(byte[] input, Chunks chunks)
    {
        var reader = new FrameReader();
        var window = new byte[Math.Max(16, input.Length)];
        Fingerprint frames = default;
        int came = 0, end = 0, count = 0;
        while (true)
        {
            reader.Feed(window, 0, end);
            TransportException? fault = Faults.Of(Allowed, () => TakeAll(reader, window, ref frames, ref count));
            if (fault is not null || came == input.Length)
            {
                return (frames.Value, count, fault, end - reader.Start);
            }

            FuzzFailure.Unless(reader.Needed > end - reader.Start && reader.Needed <= FrameHeader.Size + FrameHeader.MaxBody,
                $"needs {reader.Needed} bytes where {end - reader.Start} are there");

            // What is left moves to the front, and what stood behind it is overwritten: nobody may look there.
            end -= reader.Start;
            Buffer.BlockCopy(window, reader.Start, window, 0, end);
            window.AsSpan(end).Fill(0xdd);
            int next = chunks.Next(input.Length - came);
            Buffer.BlockCopy(input, came, window, end, next);
            came += next;
            end += next;
        }
    }

    private static void TakeAll(FrameReader reader, byte[] window, ref Fingerprint frames, ref int count)
    {
        while (reader.TryRead(out Frame frame))
        {
            frames.Add(((int)frame.Lane << 20) | (frame.More ? 1 << 24 : 0) | frame.Type);
            frames.Add(window.AsSpan(frame.Offset, frame.Length));
            count++;
        }
    }
}
