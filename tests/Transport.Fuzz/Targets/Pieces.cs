using System;
using System.Buffers;

namespace Transport.Fuzz.Targets;

/// <summary>A body that stands in two segments, cut where the input says.</summary>
internal sealed class Pieces : ReadOnlySequenceSegment<byte>
{
    public static ReadOnlySequence<byte> Of(byte[] body)
    {
        int cut = body.Length == 0 ? 0 : body[body.Length / 2] % body.Length;
        var second = new Pieces { Memory = body.AsMemory(cut), RunningIndex = cut };
        var first = new Pieces { Memory = body.AsMemory(0, cut), Next = second };
        return new ReadOnlySequence<byte>(first, 0, second, body.Length - cut);
    }
}
