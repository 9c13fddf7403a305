using System;
using System.Buffers.Binary;
using System.Globalization;
using System.Linq;

namespace Transport.Loads.Events;

/// <summary>Packets that are bytes already: encoded events, or one large packet. Each is one MessagePack value with a number stamped into
/// it as it is sent.</summary>
internal sealed class BodySet
{
    /// <summary>The packet type they travel as.</summary>
    public const int Type = 1025;

    /// <summary>The word for encoded events; a number of bytes stands for one large packet.</summary>
    public const string EventsWord = "events";

    private const int StampSize = 4;

    private readonly int _stampAt;
    private readonly ulong[] _sums;

    private BodySet(byte[][] bodies, int stampAt)
    {
        Bodies = bodies;
        _stampAt = stampAt;
        _sums = [.. bodies.Select(Sum)];
    }

    public byte[][] Bodies { get; }

    /// <summary>Makes the set that a word stands for; the same in both processes.</summary>
    public static BodySet Make(string word)
    {
        if (word == EventsWord)
        {
            // behind the array's header and the code of its first integer
            return new BodySet(EncodedEvents.Make(new EventCatalog()), stampAt: 2);
        }

        int size = int.Parse(word, CultureInfo.InvariantCulture);
        byte[] body = new byte[size];
        new Random(20_260_101).NextBytes(body);
        body[0] = 0xc6;                                                                // bin 32
        BinaryPrimitives.WriteInt32BigEndian(body.AsSpan(1), size - 5);
        return new BodySet([body], stampAt: 5);
    }

    /// <summary>Gives the packet of this number, stamped. It is the same array each time its turn comes.</summary>
    public byte[] Stamped(uint number)
    {
        byte[] body = Bodies[number % (uint)Bodies.Length];
        BinaryPrimitives.WriteUInt32BigEndian(body.AsSpan(_stampAt), number + (uint)EventCatalog.FirstId);
        return body;
    }

    /// <summary>Checks whether this is the packet of this number: its stamp, and the sum of every other byte.</summary>
    public bool IsBody(ReadOnlySpan<byte> body, uint number)
    {
        int kind = (int)(number % (uint)Bodies.Length);
        return body.Length == Bodies[kind].Length
            && BinaryPrimitives.ReadUInt32BigEndian(body.Slice(_stampAt)) == number + (uint)EventCatalog.FirstId
            && Sum(body) == _sums[kind];
    }

    /// <summary>Adds up what stands before the stamp and behind it.</summary>
    private ulong Sum(ReadOnlySpan<byte> body) => EncodedEvents.Sum(body.Slice(0, _stampAt)) * 31
        + EncodedEvents.Sum(body.Slice(_stampAt + StampSize));

    private ulong Sum(byte[] body) => Sum(body.AsSpan());
}
