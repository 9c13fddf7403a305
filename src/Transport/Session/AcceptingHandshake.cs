using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;

namespace Transport;

/// <summary>The listening side of one handshake: one frame is read, the checks of PROTOCOL.md are made in their order, the first that fails
/// answers.</summary>
/// <remarks>Everything runs on the listener's thread; only the timer of the deadline does not. Nothing here waits.</remarks>
internal sealed class AcceptingHandshake : IDisposable
{
    private readonly LinkOptions _options;
    private readonly HandshakeReader _reader;
    private readonly ITimer _deadline;
    private HandshakeFrame? _hello;
    private ArrayWriter? _reject;
    private volatile bool _isLate;   // set by the timer before it wakes the listener's thread, which reads it after waking

    /// <param name="wire">The connection; owned by the listener.</param>
    /// <param name="options">The listener's options.</param>
    /// <param name="late">Called by the timer when the deadline has passed; <see cref="IsLate"/> is set by then.</param>
    public AcceptingHandshake(IWire wire, LinkOptions options, Action late)
    {
        Wire = wire;
        Peer = wire.Peer;
        _options = options;
        _reader = new HandshakeReader(wire);
        _deadline = options.Clock.CreateTimer(_ => SetLate(late), null, options.HandshakeTimeout, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Gets the connection.</summary>
    public IWire Wire { get; }

    /// <summary>Gets the peer's identity as the kernel recorded it.</summary>
    public PeerIdentity Peer { get; }

    /// <summary>Gets a value indicating whether it was answered or refused.</summary>
    public bool IsDone { get; private set; }

    /// <summary>Gets a value indicating whether the deadline has passed.</summary>
    public bool IsLate => _isLate;

    /// <summary>Gets the ticket whose secret was shown, whatever came of it.</summary>
    public LinkTicket? Ticket { get; private set; }

    /// <summary>Gets a value indicating whether Welcome was written: the ticket is spent, and must be completed.</summary>
    public bool IsWelcomed { get; private set; }

    /// <summary>Tells the peer why there is no link, if it is to be told. Report the refusal first: the peer may be gone after
    /// this.</summary>
    public void AnswerRefusal()
    {
        if (_reject is null)
        {
            return;
        }

        try
        {
            HandshakeFrame.Write(Wire, ControlType.Reject, _reject);
            Wire.Shutdown();
        }
        catch (IOException)
        {
            // Gone before it could hear why: the refusal is the same.
        }
    }

    /// <summary>Returns the refusal of a handshake whose time is up.</summary>
    public TransportException RefuseAsLate() => new(
        TransportFault.HandshakeTimeout,
        $"Hello did not come within {_options.HandshakeTimeout.TotalSeconds:0.###} s (LinkOptions.HandshakeTimeout); {_reader.Received} bytes came.");

    /// <summary>Returns the refusal of a handshake that makes room for a newer one.</summary>
    public static TransportException RefuseAsOldest() => new(
        TransportFault.HandshakeTimeout,
        "Hello had not come when more connections came than may be pending (LinkOptions.MaxPendingHandshakes).");

    /// <summary>Returns the refusal of a connection that this process has too few descriptors left to hold.</summary>
    public TransportException RefuseForWantOfDescriptors() => IsAllowed(Peer)
        ? Reject(RejectCode.Busy, "descriptors", null, null, "the main node's process has too few file descriptors left for another connection; raise their number there (ulimit -n), or start fewer workers")
        : NotAllowed();

    /// <summary>Checks the peer's identity; before anything is read.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.Rejected"/>.</exception>
    public void CheckIdentity()
    {
        if (!IsAllowed(Peer))
        {
            throw NotAllowed();
        }
    }

    /// <summary>Reads what has come of Hello, without waiting.</summary>
    /// <returns>Whether Hello is whole.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PeerGone"/>, <see cref="TransportFault.FrameCorrupt"/>.</exception>
    public bool TryReadHello()
    {
        try
        {
            _hello = _reader.Read(patience: 0);
            return _hello is not null;
        }
        catch (IOException e)
        {
            throw Gone(e);
        }
    }

    /// <summary>Checks Hello and writes Welcome.</summary>
    /// <param name="claim">Finds the ticket of a secret and takes it; null if there is none.</param>
    /// <param name="reserve">Takes what a link needs, before Welcome; returns why there is none, or null.</param>
    /// <returns>What was agreed on; the ticket is spent.</returns>
    /// <exception cref="TransportException">Why there is no link: <see cref="TransportFault.Rejected"/> with its code
    /// (<see cref="AnswerRefusal"/> tells the peer), or a fault that gets no answer.</exception>
    public HandshakeResult Answer(Func<byte[], LinkTicket?> claim, Func<Shortage?> reserve)
    {
        HandshakeFields hello = ReadFields(_hello!);
        LinkTicket? ticket = claim(hello.Secret!);
        if (ticket is null)
        {
            throw Reject(RejectCode.Secret, "secret", null, null, "the secret is not one that was issued, or it was used before");
        }

        Ticket = ticket;
        bool spent = false;
        try
        {
            CheckVersion(hello);
            if (reserve() is { } shortage)
            {
                throw Reject(RejectCode.Busy, shortage.Field, null, shortage.Limit, shortage.Message);
            }

            List<string> caps = [.. hello.Caps.Where(_options.Caps.Contains).Distinct(StringComparer.Ordinal)];
            spent = ticket.TrySpend();
            if (!spent)
            {
                throw new TransportException(TransportFault.Aborted, "The expected connection was withdrawn while it shook hands.");
            }

            HandshakeFrame.Write(Wire, ControlType.Welcome, Welcome(caps));
            IsWelcomed = true;
            int maxPacket = (int)Math.Min(hello.MaxPacket ?? (16 << 20), 1 << 30);
            int? processId = hello.ProcessId is > 0 and <= int.MaxValue ? (int)hello.ProcessId : null;
            var peer = new LinkPeer(hello.Node ?? string.Empty, processId, hello.App ?? string.Empty, caps, maxPacket, Peer);
            return new HandshakeResult(peer, 0, _reader.Leftover(), ticket.Node);
        }
        catch (IOException e)
        {
            throw Gone(e);
        }
        finally
        {
            if (!IsWelcomed)
            {
                ticket.Unclaim(spent);
            }
        }
    }

    /// <summary>Stops the clock: the handshake is answered or refused.</summary>
    public void Dispose()
    {
        IsDone = true;
        _deadline.Dispose();
    }

    private void SetLate(Action late)
    {
        _isLate = true;
        late();
    }

    private static TransportException Gone(IOException cause) =>
        new(TransportFault.PeerGone, "The stream ended before Hello came.", cause);

    private bool IsAllowed(PeerIdentity peer) =>
        peer.IsCurrentUser || (peer.UserId is { } user && _options.AllowedUserIds.Contains(user));

    private TransportException NotAllowed() => Reject(RejectCode.Identity, null, null, null, "this user may not connect (LinkOptions.AllowedUserIds)");

    private HandshakeFields ReadFields(HandshakeFrame frame)
    {
        if (frame.Type != ControlType.Hello || frame.Lane != Lane.Control || frame.More)
        {
            string type = frame.Type.ToString(CultureInfo.InvariantCulture);
            string message = $"expected Hello (type 1) first, came type {type} on lane {(int)frame.Lane}";
            throw Reject(RejectCode.Malformed, "type", type, "1", message);
        }

        HandshakeFields hello;
        try
        {
            hello = HandshakeFields.Read(ControlType.Hello, frame.Body);
        }
        catch (TransportException malformed)
        {
            throw Reject(RejectCode.Malformed, "body", null, null, malformed.Message);
        }

        string? missing = hello.Protocol is null ? "protocol" : hello.Min is null ? "min" : hello.Max is null ? "max" : hello.Secret is null ? "secret" : null;
        return missing is null ? hello : throw Reject(RejectCode.Malformed, missing, null, null, $"Hello needs the field {missing}");
    }

    private void CheckVersion(HandshakeFields hello)
    {
        if (hello.Protocol != "transport")
        {
            throw Reject(RejectCode.Protocol, "protocol", hello.Protocol, "transport", $"this side speaks \"transport\", the peer \"{Shown(hello.Protocol!)}\"");
        }

        if (hello.Min > 1 || hello.Max < 1)
        {
            throw Reject(RejectCode.Version, "version", $"{hello.Min} to {hello.Max}", "1 to 1", $"this side speaks version 1, the peer {hello.Min} to {hello.Max}");
        }
    }

    private static string Shown(string text) => TerminalText.Line(text, 64);

    private TransportException Reject(string code, string? field, string? yours, string? ours, string message)
    {
        var body = new ArrayWriter();
        var writer = new MessagePackWriter(body);
        writer.WriteMapHeader(5);
        writer.WriteUtf8("code"u8);
        writer.WriteString(code);
        writer.WriteUtf8("field"u8);
        writer.WriteString(field);
        writer.WriteUtf8("yours"u8);
        writer.WriteString(yours);
        writer.WriteUtf8("ours"u8);
        writer.WriteString(ours);
        writer.WriteUtf8("message"u8);
        writer.WriteString(message);
        writer.Flush();
        _reject = body;
        return new TransportException(TransportFault.Rejected, message, code: code);
    }

    private ArrayWriter Welcome(List<string> caps)
    {
        var body = new ArrayWriter();
        var writer = new MessagePackWriter(body);
        writer.WriteMapHeader(6);
        writer.WriteUtf8("version"u8);
        writer.WriteInt(1);
        writer.WriteUtf8("node"u8);
        writer.WriteString(_options.Node);
        writer.WriteUtf8("pid"u8);
        writer.WriteInt(CurrentProcess.Id);
        writer.WriteUtf8("caps"u8);
        writer.WriteArrayHeader(caps.Count);
        foreach (string cap in caps)
        {
            writer.WriteString(cap);
        }

        writer.WriteUtf8("level"u8);
        writer.WriteInt(_options.Level);
        writer.WriteUtf8("maxPacket"u8);
        writer.WriteInt(_options.MaxPacketBytes);
        writer.Flush();
        return body;
    }
}

/// <summary>What a link needs and the listening side does not have.</summary>
/// <param name="Field">What is missing, as Reject names it.</param>
/// <param name="Limit">The limit, or null.</param>
/// <param name="Message">A sentence for the peer.</param>
internal sealed record Shortage(string Field, string? Limit, string Message);
