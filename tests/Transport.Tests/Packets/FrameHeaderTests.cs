using System;
using NUnit.Framework;
using static Transport.Tests.Packets.Packed;

namespace Transport.Tests.Packets;

public sealed class FrameHeaderTests
{
    [TestCase(0, false, 1, 1, "9300cd0001c600000001")]
    [TestCase(0, false, 255, 300, "9300cd00ffc60000012c")]
    [TestCase(1, false, 256, 65535, "9301cd0100c60000ffff")]
    [TestCase(2, false, 256, 250, "9302cd0100c6000000fa")]
    [TestCase(3, true, 65535, 65536, "9343cdffffc600010000")]
    public void A_header_has_the_bytes_of_the_wire_and_comes_back(int lane, bool more, int type, int length, string hex)
    {
        var bytes = new byte[FrameHeader.Size];
        FrameHeader.Write(bytes, (Lane)lane, more, (ushort)type, length);
        Assert.That(Hex(bytes), Is.EqualTo(hex));
        Assert.That(FrameHeader.Parse(bytes, out FrameHeader header, out _), Is.EqualTo(FrameHeaderState.Ok));
        Assert.That((header.Lane, header.More, (int)header.Type, header.Length), Is.EqualTo(((Lane)lane, more, type, length)));
        for (int part = 0; part < FrameHeader.Size; part++)
        {
            Assert.That(FrameHeader.Parse(bytes.AsSpan(0, part), out _, out _), Is.EqualTo(FrameHeaderState.NeedMore), $"{part} bytes");
        }
    }

    [TestCase(0)]
    [TestCase(65537)]
    [TestCase(-1)]
    public void A_length_out_of_range_is_not_written(int length) =>
        Assert.That(() => FrameHeader.Write(new byte[10], Lane.Normal, false, 256, length),
            Throws.InstanceOf<ArgumentOutOfRangeException>());

    // Up to the first byte that no valid header can hold at its place.
    [TestCase("92", "byte 0 of the frame header: expected 93 (an array of 3: a peer that speaks this protocol), got 92")]
    [TestCase("47", "expected 93 (an array of 3: a peer that speaks this protocol), got 47")]
    [TestCase("9304", "byte 1 of the frame header: expected a lane byte with bits 2 to 5 and 7 clear, got 04")]
    [TestCase("9382", "bits 2 to 5 and 7 clear, got 82")]
    [TestCase("93cc", "bits 2 to 5 and 7 clear, got cc")]
    [TestCase("9340", "expected MORE (bit 6) not set on lane 0, got 40")]
    [TestCase("9302cc", "byte 2 of the frame header: expected cd (the type as uint 16), got cc")]
    [TestCase("9300cd01", "byte 3 of the frame header: expected a type of 0 to 255 on lane 0, got 01")]
    [TestCase("9301cd00", "expected a type of 256 or more on lanes 1 to 3, got 00")]
    [TestCase("9343cd00", "expected a type of 256 or more on lanes 1 to 3, got 00")]
    [TestCase("9302cd0100c5", "byte 5 of the frame header: expected c6 (the body as bin 32), got c5")]
    [TestCase("9302cd0100c601", "byte 6 of the frame header: expected a body of at most 65536 bytes, got 01")]
    [TestCase("9302cd0100c6ff", "a body of at most 65536 bytes, got ff")]
    [TestCase("9302cd0100c60002", "byte 7 of the frame header: expected a body of at most 65536 bytes, got 02")]
    [TestCase("9302cd0100c6000101", "byte 8 of the frame header: expected a body of at most 65536 bytes, got 01")]
    [TestCase("9302cd0100c600010001", "byte 9 of the frame header: expected a body of at most 65536 bytes, got 01")]
    [TestCase("9302cd0100c600000000", "byte 9 of the frame header: expected a body of at least 1 byte, got 00")]
    public void The_first_offending_byte_is_named_as_soon_as_it_is_there(string hex, string expected)
    {
        byte[] bytes = Bytes(hex);
        Assert.That(FrameHeader.Parse(bytes, out _, out string problem), Is.EqualTo(FrameHeaderState.Corrupt));
        Assert.That(problem, Does.Contain(expected));
        Assert.That(FrameHeader.Parse(bytes.AsSpan(0, bytes.Length - 1), out _, out _), Is.EqualTo(FrameHeaderState.NeedMore),
            "one byte earlier it was valid");

        byte[] longer = [.. bytes, .. new byte[20]];
        Assert.That(FrameHeader.Parse(longer, out _, out string same), Is.EqualTo(FrameHeaderState.Corrupt));
        Assert.That(same, Is.EqualTo(problem), "what comes behind changes nothing");
    }

    [Test]
    public void Whole_headers_and_growing_ones_are_judged_alike()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        int valid = 0;
        byte[] form = Bytes("9302cd0100c600000001");
        for (int round = 0; round < 100_000; round++)
        {
            var bytes = (byte[])form.Clone();
            for (int flips = random.Next(4); flips > 0; flips--)
            {
                bytes[random.Next(10)] = (byte)(random.Next(2) == 0 ? random.Next(256) : random.Next(3));
            }

            FrameHeaderState whole = FrameHeader.Parse(bytes, out _, out string problem);
            Assert.That(whole, Is.Not.EqualTo(FrameHeaderState.NeedMore), $"seed {seed}: {Hex(bytes)}");
            int firstBad = 0;
            while (firstBad < 9 && FrameHeader.Parse(bytes.AsSpan(0, firstBad + 1), out _, out _) == FrameHeaderState.NeedMore)
            {
                firstBad++;
            }

            valid += whole == FrameHeaderState.Ok ? 1 : 0;
            if (whole == FrameHeaderState.Corrupt)
            {
                Assert.That(problem, Does.StartWith($"byte {firstBad} "), $"seed {seed}: {Hex(bytes)}");
            }
        }

        Assert.That(valid, Is.InRange(10_000, 90_000));
    }
}
