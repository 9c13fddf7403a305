using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;

namespace Transport.Tests.Packets;

/// <summary>The bytes in <c>golden</c>, which another implementation wrote, against those of the writer.</summary>
public sealed class GoldenFilesTests
{
    [Test]
    public void Hello() => Same("hello.bin", FrameOf(Lane.Control, 1, (ref PacketWriter w) =>
    {
        w.WriteMapHeader(9);
        w.WriteString("protocol");
        w.WriteString("transport");
        w.WriteString("min");
        w.WriteInt(1);
        w.WriteString("max");
        w.WriteInt(1);
        w.WriteString("secret");
        w.WriteBin(Enumerable.Range(0, 32).Select(i => (byte)i).ToArray());
        w.WriteString("node");
        w.WriteString("worker-1");
        w.WriteString("pid");
        w.WriteInt(4711);
        w.WriteString("app");
        w.WriteString("example/1.0");
        w.WriteString("caps");
        w.WriteArrayHeader(2);
        w.WriteString("strings");
        w.WriteString("maps");
        w.WriteString("maxPacket");
        w.WriteInt(16 << 20);
    }));

    [Test]
    public void Welcome() => Same("welcome.bin", FrameOf(Lane.Control, 2, (ref PacketWriter w) =>
    {
        w.WriteMapHeader(6);
        w.WriteString("version");
        w.WriteInt(1);
        w.WriteString("node");
        w.WriteString("main");
        w.WriteString("pid");
        w.WriteInt(42);
        w.WriteString("caps");
        w.WriteArrayHeader(1);
        w.WriteString("strings");
        w.WriteString("level");
        w.WriteInt(2);
        w.WriteString("maxPacket");
        w.WriteInt(16 << 20);
    }));

    [Test]
    public void Log_event() => Same("logevent.bin", FrameOf(Lane.Normal, 256, (ref PacketWriter w) =>
    {
        w.WriteArrayHeader(8);
        w.WriteTimestamp(new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero).AddTicks(1_234_567));
        w.WriteInt(4);
        w.WriteString("Compiler");
        w.WriteInt(1001);
        w.WriteString("Größe \ud83d\ude00 überschritten");
        w.WriteArrayHeader(3);
        w.WriteInt(7);
        w.WriteInt(300);
        w.WriteInt(70_000);
        w.WriteMapHeader(3);
        w.WriteString("file");
        w.WriteString("src/a.cs");
        w.WriteString("line");
        w.WriteInt(12);
        w.WriteString("ratio");
        w.WriteDouble(0.5);
        w.WriteNil();
    }));

    [Test]
    public void A_packet_in_chunks_with_a_ping_between_them()
    {
        byte[] body = Packed.By((ref PacketWriter w) => w.WriteBin(Blob()));
        byte[] ping = FrameOf(Lane.Control, 6, (ref PacketWriter w) =>
        {
            w.WriteMapHeader(2);
            w.WriteString("id");
            w.WriteInt(1);
            w.WriteString("queuedBytes");
            w.WriteInt(0);
        });
        byte[] first = Header(Lane.Bulk, true, 1024, FrameHeader.MaxBody);
        byte[] second = Header(Lane.Bulk, false, 1024, body.Length - FrameHeader.MaxBody);
        Same("chunks.bin", [.. first, .. body.AsSpan(0, FrameHeader.MaxBody), .. ping, .. second, .. body.AsSpan(FrameHeader.MaxBody)]);
    }

    [Test]
    public void A_packet_in_chunks_is_read_back()
    {
        byte[] stream = Golden("chunks.bin");
        var reader = new FrameReader();
        reader.Feed(stream, 0, stream.Length);
        var body = new List<byte>();
        var frames = new List<string>();
        while (reader.TryRead(out Frame frame))
        {
            frames.Add($"{frame.Lane} {frame.Type} {frame.More} {frame.Length}");
            if (frame.Lane == Lane.Bulk)
            {
                body.AddRange(new ArraySegment<byte>(stream, frame.Offset, frame.Length));
            }
        }

        Assert.That(frames, Is.EqualTo(new[] { "Bulk 1024 True 65536", "Control 6 False 18", "Bulk 1024 False 4469" }));
        Assert.That(reader.InsideFrame, Is.False);
        byte[] whole = body.ToArray();
        MessagePackValue.Check(whole);
        Assert.That(new PacketReader(whole).ReadBin().SequenceEqual(Blob()), Is.True);
    }

    [Test]
    public void Every_kind_of_value_at_its_limits()
    {
        byte[] golden = Golden("values.bin");
        var values = new List<object?>();
        var reader = new PacketReader(golden);
        while (!reader.AtEnd)
        {
            values.Add(Tree.Read(ref reader));
        }

        Assert.That(values.Select(Tree.Describe), Is.EqualTo(TreeSamples.All.Select(Tree.Describe)));
        Same("values.bin", Packed.By((ref PacketWriter w) =>
        {
            foreach (object? value in TreeSamples.All)
            {
                Tree.Write(ref w, value);
            }
        }));
    }

    [Test]
    public async Task A_request_with_credit_an_item_credit_and_the_end_of_the_stream()
    {
        var text = new PacketType<string>(1030, "Text", new ArrayOfText());
        var link = new RecordingLink();
        await new ItemSender(link, 7, Lane.Normal, credit: 1).SendAsync(text, "a", default).ConfigureAwait(false);
        byte[] question = Packed.By((ref PacketWriter w) =>
        {
            w.WriteArrayHeader(1);
            w.WriteString("*.cs");
        });
        byte[] request = RequestPackets.Request(7, 1030, question, TimeSpan.FromMilliseconds(1500), null, 256 << 10);
        byte[] credit = RequestPackets.Credit(7, 128 << 10);
        byte[] answer = RequestPackets.Response(7, RequestPackets.Done, null, null);
        Same("streams.bin", [
            .. Header(Lane.Normal, false, 272, request.Length), .. request,
            .. Header(Lane.Normal, false, 275, link.Sent!.Length), .. link.Sent,
            .. Header(Lane.Urgent, false, 276, credit.Length), .. credit,
            .. Header(Lane.Normal, false, 273, answer.Length), .. answer,
        ]);
    }

    private static byte[] Blob() => Enumerable.Range(0, 70_000).Select(i => (byte)(i * 7)).ToArray();

    private static byte[] Header(Lane lane, bool more, ushort type, int length)
    {
        var header = new byte[FrameHeader.Size];
        FrameHeader.Write(header, lane, more, type, length);
        return header;
    }

    private static byte[] FrameOf(Lane lane, ushort type, WriteCall write)
    {
        byte[] body = Packed.By(write);
        return [.. Header(lane, false, type, body.Length), .. body];
    }

    private static byte[] Golden(string name) => File.ReadAllBytes(SourceTree.Find(Path.Combine("golden", name)));

    private sealed class ArrayOfText : IPacketFormatter<string>
    {
        public void Write(IBufferWriter<byte> output, string packet)
        {
            var writer = new PacketWriter(output);
            writer.WriteArrayHeader(1);
            writer.WriteString(packet);
            writer.Flush();
        }

        public string Read(in ReadOnlySequence<byte> body) => throw new NotSupportedException();
    }

    private sealed class RecordingLink : IRequestLink
    {
        public byte[]? Sent { get; private set; }

        public bool PeerStreams => true;

        public ReceiveContext Context => throw new NotSupportedException();

        public Task<bool> NoteAsync(Task<bool> waiting) => waiting;

        public ValueTask<SendResult> SendRawAsync(ushort type, ReadOnlyMemory<byte> body, Lane lane, CancellationToken cancellationToken)
        {
            Sent = body.ToArray();
            return new ValueTask<SendResult>(SendResult.Queued);
        }

        public SendResult TrySendRaw(ushort type, ReadOnlyMemory<byte> body, Lane lane) => throw new NotSupportedException();

        public RequestHandler? FindRequest(int type) => null;

        public void OnRequestFailed(ushort type, string name, Exception thrown)
        {
        }
    }

    private static void Same(string name, byte[] bytes) => Assert.That(Packed.Hex(bytes), Is.EqualTo(Packed.Hex(Golden(name))), name);
}
