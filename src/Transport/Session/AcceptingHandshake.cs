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
        _deadline = options.TimeProvider.CreateTimer(_ => SetLate(late), null, options.HandshakeTimeout, Timeout.InfiniteTimeSpan);
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
    public ITicket? Ticket { get; private set; }

    /// <summary>Gets a value indicating whether Welcome was written: the ticket is spent, and must be completed.</summary>
    public bool IsWelcomed { get; private set; }

    /// <summary>Reports to the peer why there is no link, if it is to be reported. Report the refusal first: the peer may be gone after
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
        $"Hello did not come within {_options.HandshakeTimeout.TotalSeconds:0.###} s (LinkOptions.HandshakeTimeout); {_reader.Received} "
            + "bytes came.");

    /// <summary>Returns the refusal of a handshake that makes capacity for a newer one.</summary>
    public static TransportException RefuseAsOldest() => new(
        TransportFault.HandshakeTimeout,
        "Hello had not come when more connections came than may be pending (LinkOptions.MaxPendingHandshakes).");

    /// <summary>Returns the refusal of a handshake that was pending when the listener ended.</summary>
    /// <param name="failure">What the listener ended by; null if it was stopped.</param>
    public static TransportException RefuseAtEnd(Exception? failure) => new(TransportFault.Aborted, failure is null
        ? "The listener was stopped before Hello had come."
        : $"The listener failed before Hello had come: {ExceptionText.MessageOf(failure)}");

    /// <summary>Returns the refusal of a connection that this process has too few descriptors left to hold.</summary>
    public TransportException RefuseForWantOfDescriptors() => IsAllowed(Peer)
        ? Reject(RejectCode.Busy, "descriptors", null, null, "the main node's process has too few file descriptors left for another "
            + "connection; raise their number there (ulimit -n), or start fewer workers")
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
    /// (<see cref="AnswerRefusal"/> notifies the peer), or a fault that gets no answer.</exception>
    public HandshakeResult Answer(Func<byte[], ITicket?> claim, Func<Shortage?> reserve)
    {
        FieldReader hello = ReadFields(_hello!);
        ITicket? ticket = claim(hello.Bytes(Field.Secret)!);
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

            TableCaps caps = LinkCaps.Common(hello.Words(Field.Caps), _options);
            spent = ticket.TrySpend();
            if (!spent)
            {
                throw new TransportException(TransportFault.Aborted, "The expected connection was withdrawn while it shook hands.");
            }

            HandshakeFrame.Write(Wire, ControlType.Welcome, Welcome(LinkCaps.WelcomeWords(caps, hello.Words(Field.Caps))));
            IsWelcomed = true;
            var peer = LinkPeer.From(hello, Peer, caps);
            return new HandshakeResult(peer, 0, _reader.Leftover(), ticket.Node);
        }
        catch (IOException e)
        {
            throw new TransportException(TransportFault.PeerGone, $"Welcome could not be written: {e.Message}", e);
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
        peer.IsCurrentUser || peer.IsInherited || (peer.UserId is { } user && _options.AllowedUserIds.Contains(user));

    private TransportException NotAllowed() =>
        Reject(RejectCode.Identity, null, null, null, "this user may not connect (LinkOptions.AllowedUserIds)");

    private FieldReader ReadFields(HandshakeFrame frame)
    {
        if (frame.Type != ControlType.Hello || frame.Lane != Lane.Control || frame.More)
        {
            string type = frame.Type.ToString(CultureInfo.InvariantCulture);
            string message = $"expected Hello (type 1) first, got type {type} on lane {(int)frame.Lane}";
            throw Reject(RejectCode.Malformed, "type", type, "1", message);
        }

        var hello = new FieldReader();
        try
        {
            MessagePackValue.Check(frame.Body);
            hello.Read(ControlType.Hello, frame.Body);
        }
        catch (TransportException malformed)
        {
            throw Reject(RejectCode.Malformed, "body", null, null, malformed.Message);
        }

        Field? missing = hello.Text(Field.Protocol) is null ? Field.Protocol
            : hello.Number(Field.Min) is null ? Field.Min
            : hello.Number(Field.Max) is null ? Field.Max
            : hello.Bytes(Field.Secret) is null ? Field.Secret
            : null;
        if (missing is not { } field)
        {
            return hello;
        }

        string name = FieldTable.NameOf(field);
        throw Reject(RejectCode.Malformed, name, null, null, $"Hello needs the field {name}");
    }

    private void CheckVersion(FieldReader hello)
    {
        string protocol = hello.Text(Field.Protocol)!;
        if (protocol != "transport")
        {
            string message = $"this side speaks \"transport\", the peer \"{Shown(protocol)}\"";
            throw Reject(RejectCode.Protocol, "protocol", protocol, "transport", message);
        }

        long min = hello.NumberOrZero(Field.Min), max = hello.NumberOrZero(Field.Max);
        if (min > 1 || max < 1)
        {
            string message = $"this side speaks version 1, the peer {min} to {max}";
            throw Reject(RejectCode.Version, "version", $"{min} to {max}", "1 to 1", message);
        }
    }

    private static string Shown(string text) => TerminalText.Line(text, 64);

    private TransportException Reject(string code, string? field, string? yours, string? ours, string message)
    {
        var body = new ArrayWriter();
        var writer = new FieldWriter(body, 5);
        writer.Text(Field.Code, code);
        writer.Text(Field.Field, field);
        writer.Text(Field.Yours, yours);
        writer.Text(Field.Ours, ours);
        writer.Text(Field.Message, message);
        writer.Flush();
        _reject = body;
        return new TransportException(TransportFault.Rejected, message, code: code);
    }

    private ArrayWriter Welcome(IReadOnlyList<string> caps)
    {
        var body = new ArrayWriter();
        var writer = new FieldWriter(body, 6);
        writer.Number(Field.Version, 1);
        writer.Text(Field.Node, _options.OwnNode);
        writer.Number(Field.Pid, CurrentProcess.Id);
        writer.Words(Field.Caps, caps);
        writer.Number(Field.Level, (long)_options.MinimumLevel);
        writer.Number(Field.MaxPacket, _options.MaxPacketBytes);
        writer.Flush();
        return body;
    }
}

/// <summary>What a link needs and the listening side does not have.</summary>
/// <param name="Field">What is missing, as Reject names it.</param>
/// <param name="Limit">The limit, or null.</param>
/// <param name="Message">A sentence for the peer.</param>
internal sealed record Shortage(string Field, string? Limit, string Message);
