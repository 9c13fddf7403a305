using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing.Links;
using Transport.Testing.Wires;
using Transport.Testing;

namespace Transport.Processes.Tests.Security;

/// <summary>A worker that has given away what it was given: this process speaks in its place, through the public wire and in bytes of
/// its own.</summary>
internal sealed class Attacker : IDisposable
{
    public const int Hello = 1, Welcome = 2, Reject = 3, Goodbye = 4, Ack = 5, Ping = 6, Pong = 7, SetLevel = 8, Dropped = 9, Number = 1024;

    private Attacker(WorkerProcess worker, string endpoint, string secret, string tail)
    {
        Worker = worker;
        Endpoint = WireEndpoint.Parse(endpoint);
        Secret = [.. Enumerable.Range(0, secret.Length / 2).Select(i => Convert.ToByte(secret.Substring(2 * i, 2), 16))];
        Tail = tail;
    }

    public WorkerProcess Worker { get; }

    public WireEndpoint Endpoint { get; }

    public byte[] Secret { get; }

    /// <summary>Gets the path of the tail that the main node made for it.</summary>
    public string Tail { get; }

    /// <summary>Gets the numbers that the main node took from it.</summary>
    public List<long> Came { get; private set; } = [];

    private IWire? Wire { get; set; }

    /// <summary>Starts a worker that prints what it was given and does nothing more.</summary>
    public static async Task<Attacker> Start(MainNode main)
    {
        var lines = new Lines();
        var came = new List<long>();
        WorkerProcess worker = main.StartWorker(
            Shell.Command("echo given $TRANSPORT_ENDPOINT $TRANSPORT_SECRET $TRANSPORT_TAIL; exec sleep 1000").With(
                new PacketRouter()
                    .OnRaw(Number, packet => came.Add(packet.Body[1]))
                    .OnRaw(575, packet => came.Add(packet.Body.Length)),
                lines.Take));
        string[] given = (await lines.First(l => l.Text.StartsWith("given ", StringComparison.Ordinal), "what it was given")
            .ConfigureAwait(false)).Text.Split(' ');
        var attacker = new Attacker(worker, given[1], given[2], given[3]);
        attacker.Came = came;
        return attacker;
    }

    public static byte[] Frame(int lane, int type, byte[] body) => RawFrame.Bytes(lane, type, body);

    public static byte[] Control(int type, params (string Key, object? Value)[] fields) => Frame(0, type, Bodies.Map(fields));

    public static byte[] NumberFrame(byte number) => Frame(2, Number, [0xcc, number]);

    public byte[] HelloFrame(string node = "attacker") => Control(
        Hello,
        ("protocol", "transport"), ("min", 1), ("max", 1), ("secret", Secret), ("node", node), ("pid", 1),
            ("caps", new object?[] { "strings", "maps" }));

    public async Task Connect() => Wire = await WireFactory.ConnectAsync(Endpoint, WithinExtensions.Bound, [])
        .Within("the attacker's connection").ConfigureAwait(false);

    /// <summary>Connects, shakes hands and sends three valid packets.</summary>
    public async Task Open(string node = "attacker")
    {
        await Connect().ConfigureAwait(false);
        Send(HelloFrame(node));
        Assert.That((await Read().ConfigureAwait(false)).Type, Is.EqualTo(Welcome));
        Send([.. NumberFrame(1), .. NumberFrame(2), .. NumberFrame(3)]);
    }

    public void Send(byte[] bytes) => Wire!.Write(bytes, 0, bytes.Length);

    public async Task<RawFrame> Read()
    {
        byte[] head = await Wire!.ReadExactlyAsync(10).Within("a frame").ConfigureAwait(false);
        return new RawFrame(head[1], (head[3] << 8) | head[4],
            await Wire!.ReadExactlyAsync(RawFrame.Length(head, 0)).Within("its body").ConfigureAwait(false));
    }

    /// <summary>Reads until the main node has closed.</summary>
    /// <returns>What it said last by Goodbye, or null.</returns>
    public async Task<string?> ReadToEnd()
    {
        string? reason = null;
        try
        {
            while (true)
            {
                RawFrame frame = await Read().ConfigureAwait(false);
                reason = frame.Type == Goodbye ? (string?)frame.Map["reason"] : reason;
            }
        }
        catch (Exception e) when (e is IOException)
        {
            return reason;
        }
    }

    public void Dispose()
    {
        Wire?.Abort();
        Wire?.Dispose();
    }
}
