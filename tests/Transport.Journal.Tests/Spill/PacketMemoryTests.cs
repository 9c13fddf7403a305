using System;
using NUnit.Framework;

namespace Transport.Journal.Tests.Spill;

/// <summary>The limit of a spilling sender's memory holds by what the memory costs, whichever source it is from.</summary>
internal sealed class PacketMemoryTests
{
    private static readonly Guid Journal = new("00112233-4455-6677-8899-aabbccddeeff");

    [TestCase(0, Description = "the links' own pool")]
    [TestCase(256 << 10, Description = "a source that gives more than was asked for")]
    public void No_more_is_taken_than_the_limit_and_nothing_is_kept_when_all_is_acknowledged(int blockSize)
    {
        const long Limit = 1 << 20;
        var source = new CountingSource(blockSize);
        var memory = new PacketMemory(new SourcePool(source), Limit);
        for (int round = 1; round <= 3; round++)
        {
            long first = (round - 1) * 10_000, packets = 0;
            while (memory.TryReserve(1_000))
            {
                packets++;
                memory.Add(SpillNumber.At(first + packets), Packet(first + packets), isSent: false);
                Assert.That(memory.Bytes, Is.InRange(1, Limit).And.EqualTo(source.BytesOut));
            }

            Assert.That(packets, Is.GreaterThan(Limit / 1_000 / 2));
            memory.Release(SpillNumber.At(first + packets));
            Assert.That((memory.Bytes, source.BytesOut), Is.EqualTo((0L, 0L)));
        }
    }

    private static byte[] Packet(long number)
    {
        byte[] bytes = new byte[SpillPacket.MostHead + 900];
        int at = SpillPacket.PutHead(bytes, SpillPacket.MostHead, 900, new ArrayWriter(), Journal, SpillNumber.At(number), 1024);
        return bytes.AsSpan(at).ToArray();
    }

    private sealed class CountingSource(int blockSize) : IBufferSource
    {
        public long BytesOut { get; private set; }

        public RentedBuffer Rent(int atLeast)
        {
            var buffer = new RentedBuffer(new byte[Math.Max(atLeast, blockSize)]);
            BytesOut += buffer.Array.Length;
            return buffer;
        }

        public void Return(RentedBuffer buffer) => BytesOut -= buffer.Array.Length;

        public void Trim()
        {
        }
    }
}
