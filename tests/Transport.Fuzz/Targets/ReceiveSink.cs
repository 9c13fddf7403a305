using System;
using System.IO;
using Transport.Fuzz.Inputs;

namespace Transport.Fuzz.Targets;

/// <summary>Keeps, as a number, what the receive loop delivers.</summary>
internal sealed class ReceiveSink : IReceiveSink
{
    private Fingerprint _delivered;
    private ulong _kinds;
    private long _reported;

    /// <summary>Gets what happened, to be compared.</summary>
    public string Outcome { get; private set; } = string.Empty;

    /// <summary>Gets what happened, roughly.</summary>
    public ulong Print { get; private set; }

    /// <summary>Gets the bytes of bodies that were written out.</summary>
    public long ExpandedBytes { get; private set; }

    /// <summary>Gets or sets what says whether the tail is replayed at the end of the stream.</summary>
    public Func<bool> Replays { get; set; } = static () => false;

    /// <summary>Gets a value indicating whether the stream ended inside a frame or a packet.</summary>
    public bool Inside { get; private set; }

    public bool OnEndOfStream(bool inside, IOException? broken)
    {
        Inside = inside;
        return Replays();
    }

    public void OnPacket(string what, string text)
    {
        _delivered.Add(what);
        _delivered.Add(text);
        _kinds |= 1UL << (what.Length % 20);
    }

    public void OnRaw(RawPacket packet)
    {
        _delivered.Add(packet.Type);
        _delivered.Add(packet.Encoded);
        try
        {
            ReadOnlySpan<byte> body = packet.Body;
            ExpandedBytes += body.Length;
            _delivered.Add(body);
            MessagePackValue.Check(body);
        }
        catch (TransportException fault) when (fault.Fault is TransportFault.PacketTooLarge or TransportFault.PacketMalformed
            && packet.HasReferences)
        {
            // Written out it is larger or deeper than a packet may be.
            ExpandedBytes += 256 << 10;
            _delivered.Add(fault.Fault.ToString());
        }

        _kinds |= 1UL << (20 + (packet.Type % 20));
    }

    public void OnControl(ushort type, FieldReader fields)
    {
        _delivered.Add(type);
        foreach (Field field in new[] { Field.Packets, Field.Id, Field.Level, Field.Lane })
        {
            _delivered.Add(fields.NumberOrZero(field));
        }

        _kinds |= 1UL << (40 + type);
    }

    public void OnRequestPacket(ushort type, Lane lane, ReadOnlyMemory<byte> body)
    {
        _delivered.Add(type);
        _delivered.Add(body.Span);
        _kinds |= 1UL << (50 + (type % 3));
    }

    public void OnAckDue(long handled)
    {
        FuzzFailure.Unless(handled > _reported, $"{handled} packets are reported after {_reported}");
        _reported = handled;
    }

    public void OnStoreFailed(Exception cause) => FuzzFailure.Unless(false, $"nothing is kept here: {cause.Message}");

    public void End(TransportException? fault, bool inside, long handled)
    {
        FuzzFailure.Unless(_reported <= handled, $"{_reported} packets were reported, {handled} handled");
        Outcome = $"{handled} packets, {_delivered.Value:x}, "
            + $"{(fault is null ? inside ? "ends inside" : "ends" : $"{fault.Fault} {fault.Message}")}";
        Print = Faults.Print(fault) ^ (_kinds * 0x9e3779b97f4a7c15) ^ (inside ? 3UL : 0) ^ ((ulong)Math.Min(handled, 8) << 3);
    }
}
