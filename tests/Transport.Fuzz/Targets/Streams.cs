using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Fuzz.Inputs;
using Transport.Testing.Links;

namespace Transport.Fuzz.Targets;

/// <summary>Valid streams of frames, as a peer would write them after the handshake.</summary>
internal static class Streams
{
    public static IEnumerable<byte[]> All()
    {
        yield return Golden.File("hello.bin");
        yield return Golden.File("welcome.bin");
        yield return Golden.File("logevent.bin");
        yield return Golden.File("chunks.bin");
        yield return Golden.File("tables.bin");
        yield return Control();
        yield return Concat(Golden.File("tables.bin"), Golden.File("logevent.bin"), Control());
        yield return Frame(2, 256, Golden.Body("logevent.bin"));
        yield return Concat(Frame(2, 256, Golden.File("log-full.bin")), Frame(2, 257, Golden.File("output.bin")),
            Frame(1, 258, Golden.File("progress.bin")), Frame(2, 256, Golden.File("log-later.bin")));
        yield return Concat(Request(1, 1024, [0xce, 0, 0, 0, 7]), Request(2, 1024, [0x93, 1, 2, 3]), Request(3, 4000, [0xc0]),
            Frame(2, 274, [0x91, 1]), Frame(2, 273, [0x94, 1, 0, 0xc4, 1, 0xc0, 0xc0]));
        yield return Concat(Frame(3 | RawFrame.More, 1500, new byte[400]), Frame(1, 1500, [0xc0]),
            Frame(3 | RawFrame.More, 1500, new byte[3]), Frame(0, 6, Bodies.Map(("id", 1))), Frame(3, 1500, new byte[2]));
        yield return Concat(
            Frame(2, 259, [0x92, 0x92, 1, 0xa3, 0x61, 0x62, 0x63, 0x92, 2, 0xa1, 0x78]),
            Frame(2, 260, [0x91, 0x92, 5, 0x82, 0xd4, 1, 1, 0xd4, 1, 2, 0xa1, 0x79, 0xd4, 1, 1]),
            Frame(2, 575, [0x93, 0x92, 0xd4, 1, 1, 0xd4, 1, 2, 0x92, 0xd4, 2, 5, 0x81, 0xa1, 0x7a, 0xa0, 0xc4, 0]),
            Frame(2, 575, [0x93, 0x90, 0x91, 0xd4, 2, 5, 0xc4, 2, 1, 2]));
        yield return Concat(
            Frame(2, 261, [0x92, 0xcd, 4, 0, 0xcd, 4, 1]),
            Frame(2, 259, [0x91, 0x92, 1, 0xa3, 0x61, 0x62, 0x63]),
            Frame(2, 260, [0x91, 0x92, 5, 0x82, 0xd4, 1, 1, 1, 0xa1, 0x79, 2]),
            Frame(2, 1024, [0x93, 0x91, 0xd4, 1, 1, 0x91, 0x81, 0xa1, 0x7a, 0xd4, 1, 1, 0xc4, 0]),
            Frame(2, 1025, [0x91, 0x92, 0xd4, 2, 5, 0x81, 0xd4, 1, 1, 3]),
            Frame(2, 1026, [0x91, 0xd4, 2, 5]));
        foreach (byte[] line in Golden.Of("frames"))
        {
            yield return line;
        }
    }

    public static byte[] Frame(int lane, int type, byte[] body) => RawFrame.Bytes(lane, type, body);

    public static byte[] Concat(params byte[][] parts) => [.. parts.SelectMany(p => p)];

    private static byte[] Request(int id, int type, byte[] body)
    {
        var output = new ArrayWriter();
        var writer = new PacketWriter(output);
        writer.WriteArrayHeader(4);
        writer.WriteInt(id);
        writer.WriteInt(type);
        writer.WriteBin(body);
        writer.WriteInt(1000);
        writer.Flush();
        return Frame(2, 272, output.Written.ToArray());
    }

    private static byte[] Control() => Concat(
        Frame(0, 6, Bodies.Map(("id", 1), ("queuedBytes", 100), ("oldestMs", 3))),
        Frame(0, 7, Bodies.Map(("id", 1))),
        Frame(0, 8, Bodies.Map(("level", 3))),
        Frame(0, 9, [0x84, 0xa4, (byte)'l', (byte)'a', (byte)'n', (byte)'e', 2, 0xa7, .. "packets"u8.ToArray(), 3, 0xa5,
            .. "bytes"u8.ToArray(), 100, 0xa7, .. "byLevel"u8.ToArray(), 0x81, 2, 3]),
        Frame(0, 5, Bodies.Map(("packets", 0))),
        Frame(0, 200, [0xc0]),
        Frame(0, 4, Bodies.Map(("packets", 0), ("reason", ""))));
}
