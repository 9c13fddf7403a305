using System;
using System.Threading;

namespace Transport;

/// <content>Control packets.</content>
internal sealed partial class ReceivePump
{
    private readonly FieldReader _fields = new();
    private long _peerSent = -1;   // not -1 once Goodbye has come

    /// <summary>Gets how many packets the peer's Goodbye said it had sent, be that true or not; null if none came that could be
    /// read.</summary>
    public long? PeerSent => Volatile.Read(ref _peerSent) is var said and >= 0 ? said : null;

    private void TakeControl(in Frame frame)
    {
        if (frame.Type is 0 or > ControlType.Dropped)
        {
            return;   // unknown on lane 0 (Credit among them): skipped, so that later versions can add some
        }

        ReadOnlySpan<byte> body = _bytes.AsSpan(frame.Offset, frame.Length);
        MessagePackValue.Check(body);
        if (frame.Type <= ControlType.Reject)
        {
            throw new TransportException(TransportFault.PacketMalformed, $"A handshake packet (type {frame.Type}) came on an open link.");
        }

        _fields.Read(frame.Type, body);
        if (frame.Type == ControlType.Goodbye)
        {
            TakeGoodbye(_fields.NumberOrZero(Field.Packets), _fields.Text(Field.Reason) ?? string.Empty);
        }

        _sink.OnControl(frame.Type, _fields);
    }

    private void TakeGoodbye(long packets, string reason)
    {
        if (_peerSent >= 0)
        {
            throw new TransportException(TransportFault.PacketMalformed, "Goodbye came twice.");
        }

        Volatile.Write(ref _peerSent, packets);   // what it said, be it true or not

        // A peer that ends the link for a fault may have given up packets on its way; its reason is worth more than its count.
        if (packets != _handled && FaultNames.Parse(reason) == TransportFault.None)
        {
            string counts = $"Goodbye says that {packets} packets were sent, {_handled} came";
            throw new TransportException(TransportFault.PacketMalformed, counts + ": packets were lost or counted wrongly by the peer.");
        }

        if (PacketAssembly.IsAnyOpen(_assemblies) && FaultNames.Parse(reason) == TransportFault.None)
        {
            throw new TransportException(TransportFault.PacketMalformed, "Goodbye came inside a packet: its last frame was never sent.");
        }
    }
}
