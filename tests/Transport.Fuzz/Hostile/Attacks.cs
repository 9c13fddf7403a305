using System;
using System.Linq;
using System.Text;
using Transport.Fuzz.Inputs;
using Transport.Fuzz.Targets;
using Transport.Testing.Links;

namespace Transport.Fuzz.Hostile;

/// <summary>What hostile clients do.</summary>
/// <param name="Name">A name for the table.</param>
/// <param name="Weight">How many of a thousand connections do it.</param>
/// <param name="Bytes">What is sent; the second argument is a secret that is good, if <paramref name="HasTicket"/>.</param>
/// <param name="HasTicket">It is a worker with a good secret: shakes hands first.</param>
/// <param name="Times">How often <paramref name="Bytes"/> is sent, unless the other side closes before.</param>
/// <param name="Leaves">Closes without waiting for the other side to.</param>
/// <param name="Dribbles">Sends a byte at a time, 50 ms apart.</param>
/// <param name="Reads">Reads what is said to it.</param>
internal sealed record Attack(string Name, int Weight, Func<Prng, byte[]> Bytes, bool HasTicket = false, int Times = 1, bool Leaves = false,
    bool Dribbles = false, bool Reads = true)
{
    public static Attack[] All { get; } =
    [
        new("connects and leaves", 120, static _ => [], Leaves: true),
        new("garbage", 150, static random => Garbage(random, 3000)),
        new("an HTTP request", 60, static _ => Encoding.ASCII.GetBytes("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")),
        new("claims 4 GiB", 100, static _ => [0x93, 0, 0xcd, 0, 1, 0xc6, 0xff, 0xff, 0xff, 0xff]),
        new("claims 64 KiB, leaves", 60, static _ => [0x93, 0, 0xcd, 0, 1, 0xc6, 0, 1, 0, 0], Leaves: true),
        new("wrong secret", 200, static random => Hello(Garbage(random, 32))),
        new("Hello without fields", 40, static _ => Streams.Frame(0, 1, [0x80])),
        new("Hello nested 60,000 deep", 20, static _ => Streams.Frame(0, 1, [.. Enumerable.Repeat((byte)0x91, 60_000), 0xc0])),
        new("log event before Hello", 40, static _ => Golden.File("logevent.bin")),
        new("half a Hello, leaves", 90, static random => Hello(Garbage(random, 32)).AsSpan(0, 40).ToArray(), Leaves: true),
        new("half a Hello, stays", 15, static random => Hello(Garbage(random, 32)).AsSpan(0, 40).ToArray()),
        new("a byte each 50 ms", 5, static random => Hello(Garbage(random, 32)), Dribbles: true),
        new("flood without an end", 30, static random => Garbage(random, 64 << 10), Times: 64),
        new("flood of Hellos", 20, static random => [.. Enumerable.Repeat(Hello(Garbage(random, 32)), 200).SelectMany(h => h)], Times: 16),
        new("worker: garbage", 8, static random => Garbage(random, 3000), HasTicket: true),
        new("worker: leaves", 8, static _ => [], HasTicket: true, Leaves: true),
        new("worker: packet without an end", 6, static _ => Streams.Frame(3 | RawFrame.More, 2000, new byte[65_536]), HasTicket: true,
            Times: 64),
        new("worker: nested 60,000 deep", 6, static _ => Streams.Frame(2, 256, [.. Enumerable.Repeat((byte)0x91, 60_000), 0xc0]),
            HasTicket: true),
        new("worker: unknown packets", 5, static _ => [.. Enumerable.Repeat(Streams.Frame(2, 3000, [0xc0]), 1000).SelectMany(f => f)],
            HasTicket: true, Times: 10, Leaves: true),
        new("worker: Pings, reads nothing", 5, static _ => [.. Enumerable.Repeat(Streams.Frame(0, 6, [0x81, 0xa2, 0x69, 0x64, 1]), 1000)
            .SelectMany(f => f)], HasTicket: true, Times: 40, Leaves: true, Reads: false),
        new("worker: asks, reads nothing", 5, static _ => [.. Enumerable.Range(0, 500).SelectMany(i => Streams.Frame(2, 272, [0x94, 0xcd,
            (byte)(i >> 8), (byte)i, 0xcd, 0x0f, 0xa0, 0xc4, 1, 0xc0, 0xc0]))], HasTicket: true, Times: 60, Leaves: true, Reads: false),
        new("worker: a map for 3 bytes", 4, static _ => MapBomb(), HasTicket: true),
        new("worker: Goodbye twice", 3, static _ => [.. Goodbye(), .. Goodbye()], HasTicket: true),
    ];

    private static byte[] Hello(byte[] secret) => Streams.Frame(0, 1, RawPeer.HelloBody(secret));

    private static byte[] Goodbye() => Streams.Frame(0, 4, Bodies.Map(("packets", 0), ("reason", "")));

    private static byte[] Garbage(Prng random, int length)
    {
        var bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = random.Byte();
        }

        return bytes;
    }

    /// <summary>Sets one map of 60 kB, then refers to it 20,000 times: 1.2 GB written out.</summary>
    private static byte[] MapBomb() => Streams.Concat(
        Streams.Frame(2, 260, [0x91, 0x92, 0, 0x81, 0xa1, (byte)'k', 0xc5, 0xea, 0x60, .. new byte[60_000]]),
        Streams.Frame(2, 512, [0xdc, 0x4e, 0x20, .. Enumerable.Repeat(new byte[] { 0xd4, 2, 0 }, 20_000).SelectMany(r => r)]));
}
