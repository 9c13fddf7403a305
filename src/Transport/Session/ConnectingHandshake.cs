using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The handshake of who connects: Hello, then Welcome or Reject (PROTOCOL.md).</summary>
internal static class ConnectingHandshake
{
    /// <summary>Runs it. On any failure the wire is ended.</summary>
    /// <exception cref="TransportException">Why there is no link.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static async Task<HandshakeResult> RunAsync(IWire wire, LinkSecret secret, LinkOptions options, CancellationToken cancellation)
    {
        using var handshake = new HandshakeWire(wire, "Welcome", options.HandshakeTimeout, options.Clock, cancellation);
        try
        {
            TransportException? unsent = TryWriteHello(handshake, secret, options);
            (ushort type, Lane lane, bool more, byte[] body) = await ReadAnswerAsync(handshake, unsent).ConfigureAwait(false);
            if (lane != Lane.Control || more || type is not (ControlType.Welcome or ControlType.Reject))
            {
                throw new TransportException(TransportFault.PacketMalformed, $"Expected Welcome or Reject as the first packet, came type {type} on lane {(int)lane}.");
            }

            HandshakeFields fields = HandshakeFields.Read(type, body);
            if (type == ControlType.Reject)
            {
                throw new TransportException(
                    TransportFault.Rejected,
                    $"The main node refused the connection ({fields.Code}): {fields.Message}",
                    code: fields.Code ?? "unknown");
            }

            if (fields.Version != 1)
            {
                throw new TransportException(TransportFault.PacketMalformed, $"Welcome names version {fields.Version}; this side offered 1.");
            }

            int maxPacket = (int)Math.Min(fields.MaxPacket ?? (16 << 20), 1 << 30);
            var peer = new LinkPeer(fields.Node ?? string.Empty, fields.ProcessId is > 0 and <= int.MaxValue ? (int)fields.ProcessId : null, fields.App ?? string.Empty, fields.Caps, maxPacket, wire.Peer);
            return new HandshakeResult(peer, (int)(fields.Level ?? 0), handshake.Leftover());
        }
        catch
        {
            wire.Abort();
            wire.Dispose();
            throw;
        }
    }

    /// <summary>A main node that refuses by user id alone answers and closes before Hello: then writing fails, and the answer can still be read.</summary>
    private static TransportException? TryWriteHello(HandshakeWire handshake, LinkSecret secret, LinkOptions options)
    {
        try
        {
            handshake.Write(ControlType.Hello, Hello(secret, options));
            return null;
        }
        catch (TransportException unsent)
        {
            return unsent;
        }
    }

    private static async Task<(ushort Type, Lane Lane, bool More, byte[] Body)> ReadAnswerAsync(HandshakeWire handshake, TransportException? unsent)
    {
        try
        {
            return await handshake.ReadFrameAsync().ConfigureAwait(false);
        }
        catch (TransportException) when (unsent is not null)
        {
            throw unsent;
        }
    }

    private static ArrayWriter Hello(LinkSecret secret, LinkOptions options)
    {
        var body = new ArrayWriter();
        var writer = new MessagePackWriter(body);
        writer.WriteMapHeader(9);
        writer.WriteUtf8("protocol"u8);
        writer.WriteUtf8("transport"u8);
        writer.WriteUtf8("min"u8);
        writer.WriteInt(1);
        writer.WriteUtf8("max"u8);
        writer.WriteInt(1);
        writer.WriteUtf8("secret"u8);
        writer.WriteBin(secret.Bytes);
        writer.WriteUtf8("node"u8);
        writer.WriteString(options.Node);
        writer.WriteUtf8("pid"u8);
        writer.WriteInt(CurrentProcess.Id);
        writer.WriteUtf8("app"u8);
        writer.WriteString(options.App);
        writer.WriteUtf8("caps"u8);
        writer.WriteArrayHeader(options.Caps.Count);
        foreach (string cap in options.Caps)
        {
            writer.WriteString(cap);
        }

        writer.WriteUtf8("maxPacket"u8);
        writer.WriteInt(options.MaxPacketBytes);
        writer.Flush();
        return body;
    }
}
