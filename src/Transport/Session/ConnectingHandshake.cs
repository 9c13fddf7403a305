using System;
using System.IO;
using System.Linq;
using System.Threading;

namespace Transport;

/// <summary>The connecting side's handshake: Hello, then Welcome or Reject (PROTOCOL.md).</summary>
/// <remarks>Runs on what becomes the link's receive thread. A timer and the caller's token end it by aborting the wire, but only as long as
/// there is no link: either may still be calling when the handshake is over.</remarks>
internal sealed class ConnectingHandshake
{
    private readonly IWire _wire;
    private readonly LinkOptions _options;
    private readonly CancellationToken _cancellationToken;
    private readonly HandshakeReader _reader;
    private readonly object _gate = new();   // around the next; taken alone
    private Outcome _outcome;

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
            using ITimer deadline = options.TimeProvider.CreateTimer(
                static state => ((ConnectingHandshake)state!).Stop(Outcome.Late),
                handshake,
                options.HandshakeTimeout,
                Timeout.InfiniteTimeSpan);
            using CancellationTokenRegistration registration = cancellationToken.Register(
                static state => ((ConnectingHandshake)state!).Stop(Outcome.Cancelled), handshake);
            return handshake.Run(secret);
        }
        catch
        {
            wire.TryAbort(options.OwnNode);
            wire.TryDispose(options.OwnNode);
            throw;
        }
    }

    private HandshakeResult Run(LinkSecret secret)
    {
        HandshakeFrame answer = Ask(secret);
        if (answer.Lane != Lane.Control || answer.More || answer.Type is not (ControlType.Welcome or ControlType.Reject))
        {
            string came = $"Expected Welcome or Reject as the first packet, got type {answer.Type} on lane {(int)answer.Lane}.";
            throw new TransportException(TransportFault.PacketMalformed, came);
        }

        MessagePackValue.Check(answer.Body);
        var fields = new FieldReader();
        fields.Read(answer.Type, answer.Body);
        if (answer.Type == ControlType.Reject)
        {
            throw new TransportException(
                TransportFault.Rejected,
                $"The main node refused the connection ({fields.Text(Field.Code)}): {fields.Text(Field.Message)}",
                code: fields.Text(Field.Code) ?? "unknown");
        }

        if (fields.Number(Field.Version) is var version and not 1)
        {
            throw new TransportException(TransportFault.PacketMalformed, $"Welcome names version {version}; this side offered 1.");
        }

        TableCaps caps = LinkCaps.Common(fields.Words(Field.Caps), _options);
        var peer = LinkPeer.From(fields, _wire.Peer, caps);
        var result = new HandshakeResult(peer, (PacketLevel)fields.NumberOrZero(Field.Level), _reader.Leftover());
        return End(Outcome.Linked) == Outcome.Linked ? result : throw Gone(WireBroken.Aborted());
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

    private void Stop(Outcome outcome)
    {
        if (End(outcome) == outcome)
        {
            _wire.TryAbort(_options.OwnNode);
        }
    }

    /// <summary>Ends the handshake, unless it has ended already.</summary>
    /// <returns>How it ended: the first outcome wins.</returns>
    private Outcome End(Outcome outcome)
    {
        lock (_gate)
        {
            _outcome = _outcome == Outcome.Open ? outcome : _outcome;
            return _outcome;
        }
    }

    private Exception Gone(IOException cause)
    {
        Outcome outcome = End(Outcome.Failed);
        if (outcome == Outcome.Cancelled)
        {
            return new OperationCanceledException(_cancellationToken);
        }

        if (outcome == Outcome.Late)
        {
            string limit = $"Welcome did not come within {_options.HandshakeTimeout.TotalSeconds:0.###} s (LinkOptions.HandshakeTimeout); ";
            return new TransportException(TransportFault.HandshakeTimeout, $"{limit}{_reader.Received} bytes came.", cause);
        }

        return new TransportException(TransportFault.PeerGone, "The stream ended before Welcome came.", cause);
    }

    private static ArrayWriter Hello(LinkSecret secret, LinkOptions options)
    {
        var body = new ArrayWriter();
        PacketType[] known = [.. options.KnownPackets.Take(FieldTable.MaxNames)];
        var writer = new FieldWriter(body, known.Length > 0 ? 10 : 9);
        writer.Text(Field.Protocol, "transport");
        writer.Number(Field.Min, 1);
        writer.Number(Field.Max, 1);
        writer.Bytes(Field.Secret, secret.Bytes);
        writer.Text(Field.Node, options.OwnNode);
        writer.Number(Field.Pid, CurrentProcess.Id);
        writer.Text(Field.App, options.App);
        writer.Words(Field.Caps, LinkCaps.HelloWords(options));
        writer.Number(Field.MaxPacket, options.MaxPacketBytes);
        if (known.Length > 0)
        {
            writer.Names(Field.Names, known);
        }

        writer.Flush();
        return body;
    }

    private enum Outcome
    {
        Open,
        Linked,
        Failed,
        Late,
        Cancelled,
    }
}
