using System;
using NUnit.Framework;

namespace Transport.Tests.Packets;

public sealed class RoundTripTests
{
    [Test]
    public void Random_values_come_back_the_same_from_spans_of_any_size()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (int round = 0; round < 400; round++)
        {
            object? value = Tree.Random(random, depth: 3);
            byte[] bytes = Packed.By((ref PacketWriter w) => Tree.Write(ref w, value), random.Next(32, 300));
            MessagePackValue.Check(bytes);
            var reader = new PacketReader(bytes);
            Assert.That(Tree.Describe(Tree.Read(ref reader)), Is.EqualTo(Tree.Describe(value)), $"seed {seed}, round {round}");
            Assert.That(reader.AtEnd, Is.True);
            byte[] atOnce = Packed.By((ref PacketWriter w) => Tree.Write(ref w, value));
            Assert.That(bytes, Is.EqualTo(atOnce), $"seed {seed}, round {round}: the pieces show in the bytes");
        }
    }

#if NET
    [Test]
    public void Writing_and_reading_numbers_texts_and_bytes_allocates_nothing()
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>(64 << 10);
        string text = new('é', 300);
        var bytes = new byte[500];
        var time = new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
        long allocated = 0;
        for (int round = 0; round < 1000; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            output.ResetWrittenCount();
            var w = new PacketWriter(output);
            w.WriteArrayHeader(6);
            w.WriteTimestamp(time);
            w.WriteInt(-70_000);
            w.WriteDouble(1.5);
            w.WriteString(text);
            w.WriteBin(bytes);
            w.WriteNil();
            w.Flush();
            MessagePackValue.Check(output.WrittenSpan);
            var r = new PacketReader(output.WrittenSpan);
            r.ReadArrayHeader(6);
            r.ReadTimestamp();
            r.ReadInt64();
            r.ReadDouble();
            r.ReadUtf8();
            r.ReadBin();
            r.ReadNil();
            allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        }

        Assert.That(allocated, Is.Zero, "in the last of 1,000 rounds");
    }
#endif
}
