using System;
using System.Collections.Generic;
using System.Linq;
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
            while (memory.TryAdd(SpillNumber.At(first + packets + 1), Packet(first + packets + 1)))
            {
                packets++;
                Assert.That(memory.Bytes, Is.InRange(1, Limit).And.EqualTo(source.BytesOut));
            }

            Assert.That(packets, Is.GreaterThan(Limit / 1_000 / 2));
            memory.Release(SpillNumber.At(first + packets));
            Assert.That((memory.Bytes, source.BytesOut), Is.EqualTo((0L, 0L)));
        }
    }

    /// <summary>Random sequences of what a lane does, compared with a list: what is added, sent, taken back, acknowledged, sent
    /// again.</summary>
    [Test]
    public void It_does_as_a_list_would([Values(1, 2, 3, 4, 5, 6, 7, 8)] int seed)
    {
        const long Limit = 64 << 10;
        var dice = new Random(seed);
        var source = new CountingSource(0);
        var memory = new PacketMemory(new SourcePool(source), Limit);
        var model = new List<(long Number, int Length)>();
        int sent = 0;
        long last = 0;
        for (int step = 0; step < 2_000; step++)
        {
            switch (dice.Next(6))
            {
                case 0 or 1 or 2:
                    int length = dice.Next(20) == 0 ? dice.Next(30_000) : dice.Next(400);
                    if (!memory.TryAdd(SpillNumber.At(++last), Packet(last, length)))
                    {
                        int most = Math.Max(4 << 10, 2 * (length + SpillPacket.MostHead + 4));
                        Assert.That(memory.Bytes + most, Is.GreaterThan(Limit), $"seed {seed}");
                    }
                    else if (sent == model.Count && dice.Next(3) == 0)
                    {
                        memory.Release(SpillNumber.At(last - 1));   // an Ack that comes meanwhile
                        (sent, model) = (0, []);
                        memory.RemoveLast();
                    }
                    else
                    {
                        model.Add((last, length));
                    }

                    break;
                case 3 when sent < model.Count:
                    Assert.That(memory.TryPeek(out SpillNumber number, out ReadOnlyMemory<byte> packet), Is.True);
                    Assert.That(number, Is.EqualTo(SpillNumber.At(model[sent].Number)));
                    Assert.That(packet.ToArray(), Is.EqualTo(Packet(model[sent].Number, model[sent].Length)));
                    memory.MarkSent();
                    sent++;
                    break;
                case 4 when sent > 0:
                    int acknowledged = dice.Next(1, sent + 1);
                    memory.Release(SpillNumber.At(model[acknowledged - 1].Number));
                    model.RemoveRange(0, acknowledged);
                    sent -= acknowledged;
                    break;
                case 5 when dice.Next(50) == 0:
                    memory.Rewind();
                    sent = 0;
                    break;
            }

            Assert.That(memory.HasUnsent, Is.EqualTo(sent < model.Count), $"seed {seed}, step {step}");
            Assert.That(memory.Bytes, Is.EqualTo(source.BytesOut));
            Assert.That(memory.ToList().Select(p => p.Number), Is.EqualTo(model.Select(p => SpillNumber.At(p.Number))));
            Assert.That(memory.Bytes == 0, Is.EqualTo(model.Count == 0), "empty memory holds no block");
        }
    }

    private static byte[] Packet(long number, int length = 900)
    {
        byte[] bytes = new byte[SpillPacket.MostHead + length];
        int at = SpillPacket.PutHead(bytes, SpillPacket.MostHead, length, new ArrayWriter(), Journal, SpillNumber.At(number), 1024);
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
