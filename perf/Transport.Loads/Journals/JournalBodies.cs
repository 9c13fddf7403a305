using System;
using System.Buffers.Binary;
using System.Collections.Generic;

namespace Transport.Loads.Journals;

/// <summary>Bodies that carry who appended them and as what number, so that a reader finds any that is lost, doubled, moved or
/// changed.</summary>
internal static class JournalBodies
{
    /// <summary>The shortest body.</summary>
    public const int Least = 16;

    private const byte Filler = 0x5a;

    public static byte[] Make(int size)
    {
        byte[] body = new byte[size];
        body.AsSpan().Fill(Filler);
        return body;
    }

    public static void Number(Span<byte> body, long producer, long number)
    {
        BinaryPrimitives.WriteInt64LittleEndian(body, producer);
        BinaryPrimitives.WriteInt64LittleEndian(body[8..], number);
    }

    /// <summary>Checks bodies in the order in which a journal gives them back.</summary>
    internal sealed class Check(int size)
    {
        private readonly Dictionary<long, long> _last = [];

        /// <summary>Gets the last number of a producer; 0 if none came.</summary>
        public long Last(long producer) => _last.GetValueOrDefault(producer);

        /// <exception cref="LoadException">It is not the next one of its producer, or not as it was.</exception>
        public void Take(ReadOnlySpan<byte> body)
        {
            if (body.Length != size || body[Least..].IndexOfAnyExcept(Filler) >= 0)
            {
                throw new LoadException($"A body came back changed; it has {body.Length} bytes.");
            }

            long producer = BinaryPrimitives.ReadInt64LittleEndian(body);
            long number = BinaryPrimitives.ReadInt64LittleEndian(body[8..]);
            if (_last.TryGetValue(producer, out long last) && number != last + 1)
            {
                throw new LoadException($"Behind number {last} of producer {producer} came {number}.");
            }

            _last[producer] = number;   // the first one may be any: older segments are used again
        }
    }
}
