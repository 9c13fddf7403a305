using System;
using System.IO;
using System.Threading;

namespace Transport;

/// <summary>The connecting side's handshake: Hello, then Welcome or Reject (PROTOCOL.md).</summary>
/// <remarks>Runs on what becomes the link's receive thread. A timer and the caller's token end it by aborting the wire.</remarks>
internal sealed class ConnectingHandshake
{
    private readonly IWire _wire;
    private readonly LinkOptions _options;
    private readonly CancellationToken _cancellationToken;
    private readonly HandshakeReader _reader;
    private volatile bool _isLate;   // set by the timer before it aborts the wire, read once the wire has failed

    private ConnectingHandshake(IWire wire, LinkOptions options, CancellationToken cancellationToken)
    {
        _wire = wire;
        _options = options;
        _cancellationToken = cancellationToken;
        _reader = new HandshakeReader(wire);
    }

    /// <summary>Runs it. On any failure the wire is ended.</summary>
    /// <exception cref="TransportException">Why there is no link.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static HandshakeResult Run(IWire wire, LinkSecret secret, LinkOptions options, CancellationToken cancellationToken)
    {
        var handshake = new ConnectingHandshake(wire, options, cancellationToken);
        try
        {
            using ITimer deadline = options.Clock.CreateTimer(
                static state => ((ConnectingHandshake)state!).SetLate(), handshake, options.HandshakeTimeout, Timeout.InfiniteTimeSpan);
            using CancellationTokenRegistration registration = cancellationToken.Register(wire.Abort);
            return handshake.Run(secret);
        }
        catch
        {
            wire.TryAbort(options.Node);
            wire.TryDispose(options.Node);
            throw;
        }
    }

    private HandshakeResult Run(LinkSecret secret)
    {
        HandshakeFrame answer = Ask(secret);
        if (answer.Lane != Lane.Control || answer.More || answer.Type is not (ControlType.Welcome or ControlType.Reject))
        {
            string came = $"Expected Welcome or Reject as the first packet, came type {answer.Type} on lane {(int)answer.Lane}.";
            throw new TransportException(TransportFault.PacketMalformed, came);
        }

        HandshakeFields fields = HandshakeFields.Read(answer.Type, answer.Body);
        if (answer.Type == ControlType.Reject)
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
        int? processId = fields.ProcessId is > 0 and <= int.MaxValue ? (int)fields.ProcessId : null;
        var peer = new LinkPeer(fields.Node ?? string.Empty, processId, fields.App ?? string.Empty, fields.Caps, maxPacket, _wire.Peer);
        return new HandshakeResult(peer, (int)(fields.Level ?? 0), _reader.Leftover());
    }

    /// <summary>Writes Hello and reads the answer. A main node that refuses by user id alone answers and closes before Hello: then the
    /// write
    /// fails, and the answer can still be read.</summary>
    private HandshakeFrame Ask(LinkSecret secret)
    {
        IOException? unsent = null;
        try
        {
            HandshakeFrame.Write(_wire, ControlType.Hello, Hello(secret, _options));
        }
        catch (IOException e)
        {
            unsent = e;
        }

        try
        {
            return _reader.Read(patience: -1)!;
        }
        catch (IOException e)
        {
            throw Gone(unsent ?? e);
        }
    }

    private void SetLate()
    {
        _isLate = true;
        _wire.TryAbort(_options.Node);
    }

    private Exception Gone(IOException cause)
    {
        if (_cancellationToken.IsCancellationRequested)
        {
            return new OperationCanceledException(_cancellationToken);
        }

        if (_isLate)
        {
            string limit = $"Welcome did not come within {_options.HandshakeTimeout.TotalSeconds:0.###} s (LinkOptions.HandshakeTimeout); ";
            return new TransportException(TransportFault.HandshakeTimeout, $"{limit}{_reader.Received} bytes came.", cause);
        }

        return new TransportException(TransportFault.PeerGone, "The stream ended before Welcome came.", cause);
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
