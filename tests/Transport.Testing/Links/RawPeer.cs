using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Transport.Testing.Buffers;
using Transport.Testing.Wires;

namespace Transport.Testing.Links;

/// <summary>A real main node at one end, and at the other a script that reads and writes the wire's bytes itself.</summary>
internal sealed class RawPeer : IAsyncDisposable
{
    public const int Hello = 1, Welcome = 2, Reject = 3, Goodbye = 4, Ack = 5, Ping = 6, Pong = 7, SetLevel = 8, Dropped = 9, AckNow = 12;

    private readonly WireRig _rig;

    private RawPeer(WireRig rig, LinkListener listener, LinkTicket ticket, IWire wire, AccusingPool pool)
    {
        _rig = rig;
        Listener = listener;
        Ticket = ticket;
        Wire = wire;
        Pool = pool;
    }

    public LinkListener Listener { get; }

    public LinkTicket Ticket { get; }

    /// <summary>Gets the script's end of the wire.</summary>
    public IWire Wire { get; private set; }

    public AccusingPool Pool { get; }

    /// <summary>Gets the connections that the listener refused.</summary>
    public System.Collections.Concurrent.BlockingCollection<RefusedConnection> Refused { get; } = [];

    public byte[] Secret => FromHex(Ticket.Secret.Reveal());

    /// <summary>Connects, and says nothing yet.</summary>
    public static async Task<RawPeer> ConnectAsync(string kind, Action<LinkOptions>? options = null)
    {
        WireRig rig = WireKinds.Open(kind);
        var pool = new AccusingPool();
        var mainOptions = new LinkOptions { Node = "main", Pool = pool };
        options?.Invoke(mainOptions);
        var listener = new LinkListener(rig.Listener, mainOptions.WithoutPings());
        LinkTicket ticket = listener.Expect("n1");
        IWire wire = await rig.ConnectAsync().Within("the raw peer's connection").ConfigureAwait(false);
        var peer = new RawPeer(rig, listener, ticket, wire, pool);
        listener.ConnectionRefused += (_, e) => peer.Refused.Add(e);
        return peer;
    }

    /// <summary>Connects and shakes hands.</summary>
    public static async Task<(RawPeer Peer, Link Main)> OpenAsync(
        string kind, Action<LinkOptions>? options = null, params string[] caps)
    {
        RawPeer peer = await ConnectAsync(kind, options).ConfigureAwait(false);
        peer.Send(0, Hello, HelloBody(peer.Secret, caps: caps));
        RawFrame welcome = await peer.ReadAsync().ConfigureAwait(false);
        if (welcome.Type != Welcome)
        {
            throw new InvalidOperationException($"Expected Welcome, got type {welcome.Type}.");
        }

        return (peer, await peer.Ticket.WaitForLinkAsync().Within("the main node's link").ConfigureAwait(false));
    }

    public static byte[] HelloBody(byte[] secret, string protocol = "transport", int min = 1, int max = 1, string[]? caps = null) =>
        Bodies.Map(("protocol", protocol), ("min", min), ("max", max), ("secret", secret), ("node", "raw"), ("maxPacket", 16 << 20),
            ("caps", (caps ?? []).Select(c => (object?)c).ToArray()));

    /// <summary>Takes another connection to the same listener.</summary>
    public Task<IWire> AnotherAsync() => _rig.ConnectAsync();

    /// <summary>Goes on with another connection.</summary>
    public void Take(IWire wire)
    {
        Wire.Abort();
        Wire.Dispose();
        Wire = wire;
    }

    public void Send(int laneByte, int type, byte[] body) => SendBytes(RawFrame.Bytes(laneByte, type, body));

    public void SendBytes(byte[] bytes) => Wire.Write(bytes, 0, bytes.Length);

    /// <summary>Says Goodbye.</summary>
    public void SendGoodbye(long packets, string reason = "") => Send(0, Goodbye, Bodies.Map(("packets", packets), ("reason", reason)));

    public async Task<RawFrame> ReadAsync()
    {
        byte[] head = await Wire.ReadExactlyAsync(10).ConfigureAwait(false);
        byte[] body = await Wire.ReadExactlyAsync(RawFrame.Length(head, 0)).ConfigureAwait(false);
        return new RawFrame(head[1], (head[3] << 8) | head[4], body);
    }

    /// <summary>Reads frames up to the first of a type.</summary>
    public async Task<List<RawFrame>> ReadUntilAsync(int type)
    {
        var frames = new List<RawFrame>();
        do
        {
            frames.Add(await ReadAsync().ConfigureAwait(false));
        }
        while (frames[frames.Count - 1].Type != type);
        return frames;
    }

    /// <summary>Reads whole frames to the end of the stream, be it an end or a break.</summary>
    public async Task<List<RawFrame>> ReadToEndAsync()
    {
        using var all = new MemoryStream();
        byte[] piece = new byte[64 << 10];
        try
        {
            int got;
            while ((got = await Wire.ReadAsync(piece, 0, piece.Length).Within("the end of the stream").ConfigureAwait(false)) > 0)
            {
                all.Write(piece, 0, got);
            }
        }
        catch (IOException)
        {
            // A main node that cuts the wire is an end too.
        }

        return RawFrame.ParseAll(all.ToArray());
    }

    public async ValueTask DisposeAsync()
    {
        Wire.Abort();
        Wire.Dispose();

        // Before the link is looked for: a peer that has read Welcome may come here before the listener has made a link of it.
        await Listener.DisposeAsync().ConfigureAwait(false);
        if (Ticket.WaitForLinkAsync().Status == TaskStatus.RanToCompletion)
        {
            await (await Ticket.WaitForLinkAsync().ConfigureAwait(false)).CloseAsync(timeout: TimeSpan.FromSeconds(1))
                .Within("the main node's end").ConfigureAwait(false);
        }

        _rig.Dispose();
        Pool.Judge("main");
    }

    /// <summary>Reads a secret's text.</summary>
    public static byte[] FromHex(string hex)
    {
        byte[] bytes = new byte[hex.Length / 2];
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] = Convert.ToByte(hex.Substring(2 * i, 2), 16);
        }

        return bytes;
    }
}
