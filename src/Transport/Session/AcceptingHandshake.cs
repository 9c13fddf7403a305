using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The handshake of who listens: one frame is read, the checks of PROTOCOL.md are made in their order, the first that fails answers.</summary>
internal sealed class AcceptingHandshake(IWire wire, LinkOptions options, Func<byte[], LinkTicket?> claim, Func<bool> reserve) : IDisposable
{
    private readonly HandshakeWire _handshake = new(wire, "Hello", options.HandshakeTimeout, options.Clock, CancellationToken.None);
    private ArrayWriter? _reject;

    /// <summary>Gets the ticket whose secret was shown, whatever came of it.</summary>
    public LinkTicket? Ticket { get; private set; }

    /// <summary>Gets a value indicating whether Welcome was written: the ticket is spent, and must be completed.</summary>
    public bool IsWelcomed { get; private set; }

    /// <summary>Tells the peer why there is no link, where it is to be told. After this it may be gone: whoever is to know of the refusal is told first.</summary>
    public void AnswerRefusal()
    {
        if (_reject is null)
        {
            return;
        }

        try
        {
            _handshake.Write(ControlType.Reject, _reject);
            wire.CompleteWriting();
        }
        catch (TransportException)
        {
            // Gone before it could hear why: the refusal is the same.
        }
    }

    /// <summary>Gives this handshake up in favour of a newer one.</summary>
    public void Evict() => _handshake.Evict();

    /// <summary>Refuses without reading anything: this process has too few descriptors left to hold another connection while it says Hello.</summary>
    /// <returns>The refusal; <see cref="AnswerRefusal"/> tells the peer.</returns>
    public TransportException RefuseForWantOfDescriptors() => IsAllowed(wire.Peer)
        ? Reject(RejectCode.Busy, "descriptors", null, null, "the main node's process has too few file descriptors left for another connection; raise their number there (ulimit -n), or start fewer workers")
        : NotAllowed();

    /// <summary>Runs it up to Welcome.</summary>
    /// <returns>What was agreed on; the ticket is spent.</returns>
    /// <exception cref="TransportException">Why there is no link: <see cref="TransportFault.Rejected"/> with its code (<see cref="AnswerRefusal"/> tells the peer), or a fault that gets no answer.</exception>
    public async Task<HandshakeResult> RunAsync()
    {
        if (!IsAllowed(wire.Peer))
        {
            throw NotAllowed();
        }

        HandshakeFields hello = await ReadHelloAsync().ConfigureAwait(false);
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
            if (!reserve())
            {
                throw Reject(RejectCode.Busy, "links", null, options.MaxLinks.ToString(System.Globalization.CultureInfo.InvariantCulture), $"{options.MaxLinks} links are open already (LinkOptions.MaxLinks)");
            }

            List<string> caps = [.. hello.Caps.Where(options.Caps.Contains).Distinct(StringComparer.Ordinal)];
            spent = ticket.TrySpend();
            if (!spent)
            {
                throw new TransportException(TransportFault.Aborted, "The expected connection was withdrawn while it shook hands.");
            }

            _handshake.Write(ControlType.Welcome, Welcome(caps));
            IsWelcomed = true;
            int maxPacket = (int)Math.Min(hello.MaxPacket ?? (16 << 20), 1 << 30);
            var peer = new LinkPeer(hello.Node ?? string.Empty, hello.ProcessId is > 0 and <= int.MaxValue ? (int)hello.ProcessId : null, hello.App ?? string.Empty, caps, maxPacket, wire.Peer);
            return new HandshakeResult(peer, 0, _handshake.Leftover(), ticket.Node);
        }
        finally
        {
            if (!IsWelcomed)
            {
                ticket.Unclaim(spent);
            }
        }
    }

    public void Dispose() => _handshake.Dispose();

    private bool IsAllowed(PeerIdentity peer) =>
        peer.IsCurrentUser || (peer.UserId is { } user && options.AllowedUserIds.Contains(user));

    private TransportException NotAllowed() => Reject(RejectCode.Identity, null, null, null, "this user may not connect (LinkOptions.AllowedUserIds)");

    private async Task<HandshakeFields> ReadHelloAsync()
    {
        (ushort type, Lane lane, bool more, byte[] body) = await _handshake.ReadFrameAsync().ConfigureAwait(false);
        if (type != ControlType.Hello || lane != Lane.Control || more)
        {
            throw Reject(RejectCode.Malformed, "type", type.ToString(System.Globalization.CultureInfo.InvariantCulture), "1", $"expected Hello (type 1) first, came type {type} on lane {(int)lane}");
        }

        HandshakeFields hello;
        try
        {
            hello = HandshakeFields.Read(ControlType.Hello, body);
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
        writer.WriteString(options.Node);
        writer.WriteUtf8("pid"u8);
        writer.WriteInt(CurrentProcess.Id);
        writer.WriteUtf8("caps"u8);
        writer.WriteArrayHeader(caps.Count);
        foreach (string cap in caps)
        {
            writer.WriteString(cap);
        }

        writer.WriteUtf8("level"u8);
        writer.WriteInt(options.Level);
        writer.WriteUtf8("maxPacket"u8);
        writer.WriteInt(options.MaxPacketBytes);
        writer.Flush();
        return body;
    }
}
