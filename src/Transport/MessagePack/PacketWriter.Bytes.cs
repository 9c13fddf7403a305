using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Transport;

/// <content>Texts, byte strings and extensions.</content>
public ref partial struct PacketWriter
{
    /// <summary>Writes a text as UTF-8; null as nil.</summary>
    /// <param name="value">The text; a surrogate without its other half becomes U+FFFD.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteString(string? value)
    {
        if (value is null)
        {
            WriteNil();
            return;
        }

        WriteString(value.AsSpan());
    }

    /// <summary>Writes a text as UTF-8.</summary>
    /// <param name="value">The text, copied before the call returns; a surrogate without its other half becomes U+FFFD.</param>
    public void WriteString(scoped ReadOnlySpan<char> value)
    {
        // The header's size depends on the bytes, and those are known only once they are written. One pass suffices if the free span
        // holds the worst case: leave capacity for the header that fits if all is ASCII, encode behind it, and move the text in the rare
        // case that it needs a longer one.
        if (((long)value.Length * Utf8.MaxBytesPerChar) + 5 > _span.Length - _used)
        {
            WriteLongString(value);
            return;
        }

        int header = StrHeaderSize(value.Length);
        int start = _used + header;
        int bytes = Utf8.Encode(value, _span.Slice(start));
        if (bytes != value.Length)
        {
            int needed = StrHeaderSize(bytes);
            _span.Slice(start, bytes).CopyTo(_span.Slice(_used + needed));
        }

        ref byte to = ref Unsafe.Add(ref MemoryMarshal.GetReference(_span), _used);
        _used += PutStrHeader(ref to, bytes) + bytes;
    }

    /// <summary>Writes a text that is UTF-8 already.</summary>
    /// <param name="utf8">The text's bytes, copied before the call returns. Not checked: a reader faults the packet if they are not
    /// UTF-8.</param>
    public void WriteUtf8(ReadOnlySpan<byte> utf8)
    {
        WriteStrHeader(utf8.Length);
        WriteRaw(utf8);
    }

    /// <summary>Writes bytes.</summary>
    /// <param name="bytes">The bytes, copied before the call returns.</param>
    public void WriteBin(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length <= byte.MaxValue)
        {
            WriteCode(MessagePackCode.Bin8, (byte)bytes.Length);
        }
        else if (bytes.Length <= ushort.MaxValue)
        {
            WriteCode(MessagePackCode.Bin16, (ushort)bytes.Length);
        }
        else
        {
            WriteCode(MessagePackCode.Bin32, (uint)bytes.Length);
        }

        WriteRaw(bytes);
    }

    /// <summary>Writes an extension.</summary>
    /// <param name="type">Its type; negative ones are MessagePack's own.</param>
    /// <param name="bytes">Its bytes, copied before the call returns.</param>
    public void WriteExt(sbyte type, ReadOnlySpan<byte> bytes)
    {
        int fixedForm = bytes.Length switch { 1 => 0, 2 => 1, 4 => 2, 8 => 3, 16 => 4, _ => -1 };
        if (fixedForm >= 0)
        {
            WriteByte((byte)(MessagePackCode.FixExt1 + fixedForm));
        }
        else if (bytes.Length <= byte.MaxValue)
        {
            WriteCode(MessagePackCode.Ext8, (byte)bytes.Length);
        }
        else if (bytes.Length <= ushort.MaxValue)
        {
            WriteCode(MessagePackCode.Ext16, (ushort)bytes.Length);
        }
        else
        {
            WriteCode(MessagePackCode.Ext32, (uint)bytes.Length);
        }

        WriteByte((byte)type);
        WriteRaw(bytes);
    }

    /// <summary>A text that may not fit the free span: its bytes are counted first, then it is written piece by piece.</summary>
    private void WriteLongString(scoped ReadOnlySpan<char> value)
    {
        WriteStrHeader(Utf8.Count(value));
        while (!value.IsEmpty)
        {
            // At least 4 bytes, so that a surrogate pair fits whole.
            Capacity(2 * Utf8.MaxBytesPerChar);
            Span<byte> to = _span.Slice(_used);
            int chars = Math.Min(value.Length, to.Length / Utf8.MaxBytesPerChar);
            if (chars < value.Length && char.IsHighSurrogate(value[chars - 1]) && char.IsLowSurrogate(value[chars]))
            {
                chars--;
            }

            _used += Utf8.Encode(value.Slice(0, chars), to);
            value = value.Slice(chars);
        }
    }

    private void WriteStrHeader(int bytes)
    {
        ref byte to = ref Capacity(5);
        _used += PutStrHeader(ref to, bytes);
    }

    internal static int StrHeaderSize(int bytes) => bytes <= 31 ? 1 : bytes <= byte.MaxValue ? 2 : bytes <= ushort.MaxValue ? 3 : 5;

    /// <summary>Writes a header; returns its size.</summary>
    internal static int PutStrHeader(ref byte to, int bytes)
    {
        if (bytes <= 31)
        {
            to = (byte)(MessagePackCode.FixStr | bytes);
            return 1;
        }

        if (bytes <= byte.MaxValue)
        {
            to = MessagePackCode.Str8;
            Unsafe.Add(ref to, 1) = (byte)bytes;
            return 2;
        }

        if (bytes <= ushort.MaxValue)
        {
            to = MessagePackCode.Str16;
            BigEndian.Put(ref to, 1, (ushort)bytes);
            return 3;
        }

        to = MessagePackCode.Str32;
        BigEndian.Put(ref to, 1, (uint)bytes);
        return 5;
    }
}
