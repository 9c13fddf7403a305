using System;
using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Transport;

/// <content>What formatters of whole objects need: .NET's own values, and how deep they are.</content>
public ref partial struct PacketWriter
{
    private const int LongestDecimal = 31;

    /// <summary>Writes a point in time as MessagePack timestamp, in UTC: 6, 10 or 15 bytes.</summary>
    /// <param name="value">The time; one of unspecified kind is taken as UTC, a local one is converted.</param>
    public void WriteDateTime(DateTime value) =>
        WriteTimestamp(new DateTimeOffset(value.Kind == DateTimeKind.Local ? value.ToUniversalTime().Ticks : value.Ticks, TimeSpan.Zero));

    /// <summary>Writes a length of time as an integer, in units of 100 ns.</summary>
    /// <param name="value">The value.</param>
    public void WriteTimeSpan(TimeSpan value) => WriteInt(value.Ticks);

    /// <summary>Writes a GUID as 16 bytes (bin) in the order in which it is written as text (RFC 9562); 18 bytes in all.</summary>
    /// <param name="value">The value.</param>
    public void WriteGuid(Guid value)
    {
        ref byte to = ref Capacity(2 + GuidBytes.Size);
        to = MessagePackCode.Bin8;
        Unsafe.Add(ref to, 1) = GuidBytes.Size;
        GuidBytes.Write(value, ref Unsafe.Add(ref to, 2));
        _used += 2 + GuidBytes.Size;
    }

    /// <summary>Writes a decimal number as text, such as <c>-12.50</c>: exact, with its places after the point, and readable in every
    /// language.</summary>
    /// <param name="value">The value.</param>
    public void WriteDecimal(decimal value)
    {
        Capacity(1 + LongestDecimal);
        if (!Utf8Formatter.TryFormat(value, _span.Slice(_used + 1), out int bytes) || bytes > LongestDecimal)
        {
            throw new InvalidOperationException($"A decimal number has at most {LongestDecimal} characters; this one has {bytes}.");
        }

        Unsafe.Add(ref MemoryMarshal.GetReference(_span), _used) = (byte)(MessagePackCode.FixStr | bytes);
        _used += 1 + bytes;
    }

    /// <summary>Notes that what is written next stands inside one more array or map; <see cref="LeaveNested"/> belongs to it. For
    /// formatters of types that may hold themselves: no reader takes a packet that is nested deeper than 64.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: that would be deeper than 64, the outermost array
    /// or map included.</exception>
    public void EnterNested()
    {
        if (++_nested >= MessagePackValue.MaxDepth)
        {
            throw new TransportException(
                TransportFault.PacketMalformed,
                $"A packet to be sent: expected values nested at most {MessagePackValue.MaxDepth} deep, got one more array or map. Does "
                    + "an object hold itself?");
        }
    }

    /// <summary>Ends what <see cref="EnterNested"/> began.</summary>
    public void LeaveNested() => _nested--;
}
