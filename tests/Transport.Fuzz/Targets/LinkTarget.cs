using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Transport.Fuzz.Inputs;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Fuzz.Targets;

/// <summary>A whole main node's link over a memory wire, requests and all: it ends, by name, and leaves nothing behind.</summary>
internal sealed class LinkTarget : FuzzTarget
{
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(15);

    private static readonly TransportFault[] Ends =
    [
        TransportFault.None, TransportFault.PeerGone, TransportFault.FrameCorrupt, TransportFault.PacketTooLarge,
            TransportFault.PacketMalformed,
        TransportFault.HandlerFailed, TransportFault.Timeout,
    ];

    public override string Name => "link";

    public override int Share => 3;

    public override bool TakesFrames => true;

    public override IEnumerable<byte[]> Seeds() => [.. Streams.All(), .. Golden.Of(Name)];

    public override ulong Run(byte[] input) => RunAsync(input).GetAwaiter().GetResult();

    private static async Task<ulong> RunAsync(byte[] input)
    {
        var pool = new ShelfPool(64 << 20);
        var wires = new MemoryWireListener("fuzz");
        var listener = new LinkListener(wires, new LinkOptions
        {
            Node = "main", Pool = pool, MaxPacketBytes = 64 << 10, MaxRequests = 4, CloseTimeout = TimeSpan.FromSeconds(5),
        });
        LinkTicket ticket = listener.Expect("n1");
        IWire peer = wires.Connect();
        Task<byte[]> said = ReadAllAsync(peer);
        byte[] hello = RawFrame.Bytes(0, RawPeer.Hello, RawPeer.HelloBody(Golden.Hex(ticket.Secret.Reveal()), caps: ["strings", "maps"]));
        Write(peer, hello);
        using var limit = new CancellationTokenSource(Bound);
        Link link = await Within(ticket.WaitForLinkAsync(), limit.Token, "Welcome").ConfigureAwait(false);
        var sink = new ReceiveSink();
        PacketRouter router = Packetry.Router(sink.OnPacket, sink.OnRaw)
            .OnRequest(Words.Type, Words.Type, static (words, _) => Task.FromResult(words))
            .OnRequest(new PacketType<Words>(1024, "Slow", Words.Type.Formatter), Words.Type, static async (words, context) =>
            {
                await Task.Yield();
                context.CancellationToken.ThrowIfCancellationRequested();
                return words;
            });
        link.Start(router);
        Write(peer, input);
        peer.Shutdown();
        LinkEnd end = await Within(link.Completion, limit.Token, "the link's end").ConfigureAwait(false);
        byte[] stream = await Within(said, limit.Token, "the end of what was said").ConfigureAwait(false);
        peer.Dispose();
        await listener.DisposeAsync().ConfigureAwait(false);
        Judge(end, RawFrame.ParseAll(stream));
        FuzzFailure.Unless(SpinWait.SpinUntil(() => pool.Out == 0, Bound), $"{pool.Out} segments were not given back");
        return Fingerprint.OfShape(end.Fault + end.Reason);
    }

    private static void Judge(LinkEnd end, List<RawFrame> said)
    {
        // The peer may name any fault in its Goodbye; what this side found itself must be of the bytes.
        bool peers = end.Reason.StartsWith("The peer ended", StringComparison.Ordinal);
        FuzzFailure.Unless(Array.IndexOf(Ends, end.Fault) >= 0 && (peers || end.Fault != TransportFault.HandlerFailed),
            $"the link ended: {end}");
        bool own = !peers && end.Fault is TransportFault.FrameCorrupt or TransportFault.PacketMalformed or TransportFault.PacketTooLarge;
        bool reported = said.Exists(f => f.Type == RawPeer.Goodbye);
        FuzzFailure.Unless(!own || reported, $"the peer was not notified of {end.Fault}");
    }

    private static void Write(IWire wire, byte[] bytes)
    {
        try
        {
            wire.Write(bytes, 0, bytes.Length);
        }
        catch (IOException)
        {
            // The link has ended before all was said.
        }
    }

    private static async Task<byte[]> ReadAllAsync(IWire wire)
    {
        using var all = new MemoryStream();
        byte[] piece = new byte[16 << 10];
        try
        {
            int got;
            while ((got = await WireReading.ReadAsync(wire, piece, 0, piece.Length).ConfigureAwait(false)) > 0)
            {
                all.Write(piece, 0, got);
            }
        }
        catch (IOException)
        {
            // A cut is an end too.
        }

        return all.ToArray();
    }

    private static async Task<T> Within<T>(Task<T> task, CancellationToken limit, string what)
    {
        var over = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenRegistration registration = limit.Register(() => over.TrySetResult(true));
        FuzzFailure.Unless(await Task.WhenAny(task, over.Task).ConfigureAwait(false) == task,
            $"{what} did not come within {Bound.TotalSeconds} s");
        return await task.ConfigureAwait(false);
    }
}
