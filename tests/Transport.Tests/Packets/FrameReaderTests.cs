using System;
using System.Collections.Generic;
using NUnit.Framework;
using static Transport.Tests.Packets.Packed;

namespace Transport.Tests.Packets;

public sealed class FrameReaderTests
{
    [Test]
    public void Frames_are_cut_where_they_stand()
    {
        byte[] stream = [0xee, 0xee, .. FrameOf(Lane.Normal, false, 256, [1, 2, 3]), .. FrameOf(Lane.Bulk, true, 1024, [4]), 0x93];
        var reader = new FrameReader();
        reader.Feed(stream, 2, stream.Length);

        Assert.That(reader.TryRead(out Frame first), Is.True);
        Assert.That((first.Lane, first.Type, first.More, first.Offset, first.Length), Is.EqualTo((Lane.Normal, (ushort)256, false, 12, 3)));
        Assert.That(reader.TryRead(out Frame second), Is.True);
        Assert.That((second.Lane, second.Type, second.More, second.Offset, second.Length),
            Is.EqualTo((Lane.Bulk, (ushort)1024, true, 25, 1)));
        Assert.That(reader.TryRead(out _), Is.False);
        Assert.That(reader.Start, Is.EqualTo(26), "the window starts at what is left");
        Assert.That(reader.InsideFrame, Is.True);
        Assert.That(reader.Needed, Is.EqualTo(FrameHeader.Size));
    }

    [Test]
    public void It_says_how_many_bytes_the_next_frame_needs()
    {
        byte[] frame = FrameOf(Lane.Normal, false, 256, new byte[500]);
        var reader = new FrameReader();
        for (int length = 0; length < frame.Length; length++)
        {
            reader.Feed(frame, 0, length);
            Assert.That(reader.TryRead(out _), Is.False);
            Assert.That(reader.Needed, Is.EqualTo(length < FrameHeader.Size ? FrameHeader.Size : frame.Length));
            Assert.That(reader.InsideFrame, Is.EqualTo(length > 0));
        }

        reader.Feed(frame, 0, frame.Length);
        Assert.That(reader.TryRead(out _), Is.True);
        Assert.That(reader.InsideFrame, Is.False);
    }

    [Test]
    public void A_stream_fed_in_random_parts_gives_the_same_frames()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var stream = new List<byte>();
        var sent = new List<string>();
        for (int i = 0; i < 300; i++)
        {
            var body = new byte[random.Next(20) == 0 ? FrameHeader.MaxBody : random.Next(1, 400)];
            random.NextBytes(body);
            var lane = (Lane)random.Next(4);
            bool more = lane != Lane.Control && random.Next(2) == 0;
            var type = (ushort)(lane == Lane.Control ? random.Next(256) : random.Next(256, 65536));
            stream.AddRange(FrameOf(lane, more, type, body));
            sent.Add($"{lane} {more} {type} {Hex(body)}");
        }

        byte[] all = stream.ToArray();
        byte[] window = [];
        var reader = new FrameReader();
        var came = new List<string>();
        for (int read = 0; read < all.Length;)
        {
            // A read brings a few bytes behind those that are left; the window moves to another buffer each time.
            int count = Math.Min(all.Length - read, random.Next(1, 3000));
            byte[] next = [.. new byte[random.Next(5)], .. window.AsSpan(reader.Start, reader.End - reader.Start),
                .. all.AsSpan(read, count)];
            int left = reader.End - reader.Start;
            reader.Feed(next, next.Length - count - left, next.Length);
            window = next;
            read += count;
            while (reader.TryRead(out Frame f))
            {
                came.Add($"{f.Lane} {f.More} {f.Type} {Hex(window.AsSpan(f.Offset, f.Length).ToArray())}");
            }
        }

        Assert.That(came, Is.EqualTo(sent));
    }

    [TestCase("47", 0)]
    [TestCase("9304", 1)]
    [TestCase("9302cd0100c6ffffffff", 6)]
    public void A_bad_header_is_FrameCorrupt_and_says_where_in_the_stream(string hex, int at)
    {
        byte[] stream = [.. FrameOf(Lane.Normal, false, 256, [1]), .. FrameOf(Lane.Control, false, 6, [1, 2]), .. Bytes(hex)];
        var reader = new FrameReader();
        reader.Feed(stream, 0, stream.Length);
        Assert.That(reader.TryRead(out _) && reader.TryRead(out _), Is.True, "valid frames before the fault are given");
        TransportException e = Assert.Throws<TransportException>(() => reader.TryRead(out _))!;
        Assert.That(e.Fault, Is.EqualTo(TransportFault.FrameCorrupt));
        Assert.That(e.Message,
            Does.StartWith($"No frame at byte 23 of the stream (after 2 whole frames): byte {at} of the frame header: expected "));
    }

    [TestCase(-1, 3)]
    [TestCase(2, 1)]
    [TestCase(0, 11)]
    public void A_window_outside_the_buffer_is_the_callers_mistake(int start, int end) =>
        Assert.That(() => new FrameReader().Feed(new byte[10], start, end), Throws.InstanceOf<ArgumentOutOfRangeException>());

    private static byte[] FrameOf(Lane lane, bool more, ushort type, byte[] body)
    {
        var header = new byte[FrameHeader.Size];
        FrameHeader.Write(header, lane, more, type, body.Length);
        return [.. header, .. body];
    }
}
