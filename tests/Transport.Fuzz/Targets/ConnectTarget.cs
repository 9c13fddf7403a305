using System;
using System.Collections.Generic;
using System.Threading;
using Transport.Fuzz.Inputs;
using Transport.Testing.Links;

namespace Transport.Fuzz.Targets;

/// <summary>The handshake of who connects, against a main node that says anything.</summary>
internal sealed class ConnectTarget() : HandshakeTarget(salt: 3)
{
    private static readonly TransportFault[] Allowed =
        [TransportFault.Rejected, TransportFault.PeerGone, TransportFault.FrameCorrupt, TransportFault.PacketMalformed];
    private readonly LinkOptions _options = HandshakeOptions.Fill(new LinkOptions());
    private readonly LinkSecret _secret = LinkSecret.Parse("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");

    public override string Name => "connect";

    public override int Share => 50;

    public override IEnumerable<byte[]> Seeds() =>
    [
        Golden.File("welcome.bin"),
        Streams.Concat(Golden.File("welcome.bin"), Golden.File("chunks.bin")),
        Streams.Frame(0, 3, Bodies.Map(("code", "busy"), ("field", "links"), ("yours", null), ("ours", "3"), ("message", "full"))),
        Streams.Frame(0, 2, Bodies.Map(("version", 1), ("node", null), ("caps", null), ("level", 6), ("maxPacket", 1 << 20))),
        .. Golden.Of(Name),
    ];

    protected override (string Outcome, ulong Print) Shake(byte[] input, Chunks chunks)
    {
        var wire = new ScriptWire(input, chunks);
        HandshakeResult? result = null;
        TransportException? fault =
            Faults.Of(Allowed, () => result = ConnectingHandshake.Run(wire, _secret, _options, CancellationToken.None));
        List<RawFrame> said = RawFrame.ParseAll(wire.Written);
        FuzzFailure.Unless(said.Count == 1 && said[0].Type == RawPeer.Hello, "Hello, and nothing else, is said before Welcome");
        FuzzFailure.Unless(wire.IsAborted == fault is not null, "a wire without a link is ended, one with a link is not");
        if (fault is not null)
        {
            return ($"{fault.Fault} {fault.Code} {fault.Message}", Faults.Print(fault));
        }

        FuzzFailure.Unless(result!.Level is >= PacketLevel.Trace and <= PacketLevel.None && result.Peer.MaxPacketBytes >= 65_536,
            $"level {result.Level}, maxPacket {result.Peer.MaxPacketBytes}");
        return ($"{result.Peer.Node} {result.Peer.App} {result.Level:D} {result.Peer.MaxPacketBytes} {result.Peer.Tables}",
            5 + (ulong)result.Level);
    }
}
