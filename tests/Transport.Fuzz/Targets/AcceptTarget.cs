using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Fuzz.Inputs;
using Transport.Testing.Links;

namespace Transport.Fuzz.Targets;

/// <summary>The handshake of who listens: no link without the secret, one frame read, one valid answer at most, and the same whatever the
/// pieces.</summary>
internal sealed class AcceptTarget() : HandshakeTarget(salt: 2)
{
    private static readonly TransportFault[] Allowed = [TransportFault.Rejected, TransportFault.PeerGone, TransportFault.FrameCorrupt];
    private static readonly string[] Codes = ["identity", "malformed", "secret", "protocol", "version", "busy"];
    private readonly LinkOptions _options = HandshakeOptions.Fill(new LinkOptions());

    public override string Name => "accept";

    public override int Share => 70;

    public override IEnumerable<byte[]> Seeds() =>
    [
        Golden.File("hello.bin"),
        Streams.Concat(Golden.File("hello.bin"), Golden.File("logevent.bin")),
        Streams.Frame(0, 1, RawPeer.HelloBody(HandshakeOptions.Secret, caps: ["strings"])),
        Streams.Frame(0, 1, RawPeer.HelloBody(HandshakeOptions.Secret, protocol: "other")),
        Streams.Frame(0, 1, RawPeer.HelloBody(HandshakeOptions.Secret, min: 2, max: 9)),
        Streams.Frame(0, 1, RawPeer.HelloBody(new byte[32])),
        .. Golden.Of(Name),
    ];

    protected override (string Outcome, ulong Print) Shake(byte[] input, Chunks chunks)
    {
        var wire = new ScriptWire(input, chunks);
        ITicket ticket = new LinkTicket("n1", static _ => { });
        bool shown = false;
        using var handshake = new AcceptingHandshake(wire, _options, static () => { });
        HandshakeResult? result = null;
        TransportException? fault = Faults.Of(Allowed, () =>
        {
            handshake.CheckIdentity();
            FuzzFailure.Unless(handshake.TryReadHello(), "the handshake waits though everything has come");
            result = handshake.Answer(Claim, static () => null);
        });
        handshake.AnswerRefusal();
        List<RawFrame> answers = RawFrame.ParseAll(wire.Written);
        FuzzFailure.Unless(answers.Count == (fault is null || fault.Fault == TransportFault.Rejected ? 1 : 0),
            $"{answers.Count} answers to {fault?.Message ?? "a valid Hello"}");
        if (fault is null)
        {
            FuzzFailure.Unless(shown && answers[0].Type == RawPeer.Welcome, "Welcome without the secret");
            FuzzFailure.Unless(!ticket.TryClaim(), "the ticket can be used again");
            int hello = RawFrame.Length(input, 0) + 10;
            FuzzFailure.Unless(input.AsSpan(hello, wire.Position - hello).SequenceEqual(result!.Leftover),
                "what came behind Hello was lost");
            ReadAnswer(ControlType.Welcome, answers[0].Body);
            return ($"welcome {result.Peer.Node} {result.Peer.ProcessId} {result.Peer.App} {result.Peer.MaxPacketBytes} "
                + $"{result.Peer.Tables}", 7 + (result.Peer.Tables.Strings ? 1UL : 0) + (result.Peer.Tables.Maps ? 2UL : 0));
        }

        FuzzFailure.Unless(ticket.TryClaim(), "the ticket was used up by a handshake that failed");
        FuzzFailure.Unless(wire.Position <= 10 + 65_536, $"{wire.Position} bytes were read for one frame");
        if (fault.Fault == TransportFault.Rejected)
        {
            FuzzFailure.Unless(Codes.Contains(fault.Code) && ReadAnswer(ControlType.Reject, answers[0].Body).Text(Field.Code) == fault.Code,
                $"Reject says {fault.Code}");
        }

        return ($"{fault.Fault} {fault.Code} {fault.Message}", Faults.Print(fault) + Fingerprint.Of(fault.Code ?? string.Empty));

        ITicket? Claim(byte[] secret)
        {
            shown |= LinkSecret.AreEqual(secret, HandshakeOptions.Secret);
            return shown && ticket.TryClaim() ? ticket : null;
        }
    }

    private static FieldReader ReadAnswer(ushort type, byte[] body)
    {
        var fields = new FieldReader();
        fields.Read(type, body);
        return fields;
    }
}
