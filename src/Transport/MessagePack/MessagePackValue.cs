using System;
using System.Buffers.Binary;

namespace Transport;

/// <summary>Looks over whole MessagePack values without reading them: no recursion, no allocation.</summary>
internal static class MessagePackValue
{
    /// <summary>The most arrays and maps that may stand inside each other.</summary>
    public const int MaxDepth = 64;

    private static readonly byte[] PlainSizes = MakePlainSizes();

    /// <summary>Checks that a packet's body is exactly one valid value, nested at most <see cref="MaxDepth"/> deep. That texts are UTF-8 is
    /// checked where they are read.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: it is not.</exception>
    public static void Check(ReadOnlySpan<byte> body)
    {
        AnyExtension any = default;
        Check(body, ref any);
    }

    /// <summary>Checks a packet's body, and each of its extensions.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: it is not one valid value, or
    /// <paramref name="extensions"/> does not take one.</exception>
    public static void Check<TExtensions>(ReadOnlySpan<byte> body, ref TExtensions extensions)
        where TExtensions : struct, IExtensionCheck
    {
        int end = EndOf(body, 0, MaxDepth, ref extensions);
        if (end != body.Length)
        {
            throw MessagePackFault.Wrong(end, "the end of the body after one value", $"{body.Length - end} more bytes");
        }
    }

    /// <summary>Finds how many arrays and maps stand inside each other in a valid value.</summary>
    public static int DepthOf(ReadOnlySpan<byte> value)
    {
        DepthCheck depth = default;
        _ = EndOf(value, 0, MaxDepth, ref depth);
        return depth.Deepest;
    }

    /// <summary>Finds the end of the value that starts at an offset.</summary>
    /// <param name="data">The body.</param>
    /// <param name="offset">Where the value starts.</param>
    /// <param name="maxDepth">The most arrays and maps that may stand inside each other in it: fewer if it stands inside some
    /// itself.</param>
    /// <returns>The offset behind it.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: there is no whole value, or it is nested too
    /// deep.</exception>
    public static int EndOf(ReadOnlySpan<byte> data, int offset, int maxDepth = MaxDepth)
    {
        AnyExtension any = default;
        return EndOf(data, offset, maxDepth, ref any);
    }

    /// <summary>Finds the end of a scalar, or of the header of an array or map: what comes next is its first value.</summary>
    /// <returns>The offset behind it.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: it is not all there.</exception>
    public static int EndOfToken(ReadOnlySpan<byte> data, int offset)
    {
        long size = PlainSizes[data[offset]];
        size = size > 0 ? size : SizeOf(data, offset, out _);
        return size <= data.Length - offset ? offset + (int)size : throw MessagePackFault.Short(data, offset, size);
    }

    private static int EndOf<TExtensions>(ReadOnlySpan<byte> data, int offset, int maxDepth, ref TExtensions extensions)
        where TExtensions : struct, IExtensionCheck
    {
        // Values still to come in each open container around the current one. A count is never larger than the bytes left, so int suffices.
        Span<int> outer = stackalloc int[MaxDepth];
        int depth = 0;
        int left = 1;
        while (true)
        {
            while (left == 0)
            {
                if (depth == 0)
                {
                    return offset;
                }

                left = outer[--depth];
            }

            left--;
            if ((uint)offset >= (uint)data.Length)
            {
                throw MessagePackFault.Unexpected(data, offset, "a value");
            }

            byte code = data[offset];
            int plain = PlainSizes[code];
            if (plain > 0)
            {
                if (plain > data.Length - offset)
                {
                    throw MessagePackFault.Short(data, offset, plain);
                }

                if (typeof(TExtensions) != typeof(AnyExtension) && code is >= MessagePackCode.FixExt1 and <= MessagePackCode.FixExt16)
                {
                    extensions.At(data, offset, depth);
                }

                offset += plain;
                continue;
            }

            long size = SizeOf(data, offset, out long values);
            if (size > data.Length - offset)
            {
                throw MessagePackFault.Short(data, offset, size);
            }

            if (typeof(TExtensions) != typeof(AnyExtension) && code is >= MessagePackCode.Ext8 and <= MessagePackCode.Ext32)
            {
                extensions.At(data, offset, depth);
            }

            if (values >= 0)
            {
                if (depth >= maxDepth)
                {
                    throw MessagePackFault.Wrong(offset, $"values nested at most {MaxDepth} deep", "one more array or map");
                }

                int rest = data.Length - offset - (int)size;
                if (values > rest)
                {
                    throw MessagePackFault.Crowded(data, offset, values, rest);
                }

                outer[depth++] = left;
                extensions.Enter(depth);
                left = (int)values;
            }

            offset += (int)size;
        }
    }

    /// <summary>The bytes of the value at an offset whose header says more than its first byte (of the header alone if it holds others),
    /// and how many values it holds, or -1.</summary>
    private static long SizeOf(ReadOnlySpan<byte> data, int offset, out long values)
    {
        byte code = data[offset];
        values = -1;
        switch (code)
        {
            case >= MessagePackCode.FixMap and < MessagePackCode.FixArray:
                values = (code & 15) * 2;
                return 1;
            case >= MessagePackCode.FixArray and < MessagePackCode.FixStr:
                values = code & 15;
                return 1;
            case >= MessagePackCode.Str8 and <= MessagePackCode.Str32:
                return Sized(data, offset, 1 << (code - MessagePackCode.Str8), 0);
            case >= MessagePackCode.Bin8 and <= MessagePackCode.Bin32:
                return Sized(data, offset, 1 << (code - MessagePackCode.Bin8), 0);
            case >= MessagePackCode.Ext8 and <= MessagePackCode.Ext32:
                return Sized(data, offset, 1 << (code - MessagePackCode.Ext8), 1);
            case >= MessagePackCode.Array16 and <= MessagePackCode.Map32:
                int width = (code & 1) == 0 ? 2 : 4;
                values = Length(data, offset, width) * (code < MessagePackCode.Map16 ? 1 : 2);
                return 1 + width;
            default:
                throw MessagePackFault.Unexpected(data, offset, "a value");
        }
    }

    /// <summary>The bytes of every value whose first byte alone identifies them; 0 for all others.</summary>
    private static byte[] MakePlainSizes()
    {
        var sizes = new byte[256];
        for (int code = 0; code < sizes.Length; code++)
        {
            sizes[code] = code switch
            {
                <= MessagePackCode.MaxFixInt or >= MessagePackCode.MinNegativeFixInt => 1,
                >= MessagePackCode.FixStr and < MessagePackCode.Nil => (byte)(1 + (code & 31)),
                MessagePackCode.Nil or MessagePackCode.False or MessagePackCode.True => 1,
                MessagePackCode.Float32 => 5,
                MessagePackCode.Float64 => 9,
                >= MessagePackCode.UInt8 and <= MessagePackCode.Int64 => (byte)(1 + (1 << (code & 3))),
                >= MessagePackCode.FixExt1 and <= MessagePackCode.FixExt16 => (byte)(2 + (1 << (code - MessagePackCode.FixExt1))),
                _ => 0,
            };
        }

        return sizes;
    }

    private static long Sized(ReadOnlySpan<byte> data, int offset, int width, int more) => 1 + width + more + Length(data, offset, width);

    private static long Length(ReadOnlySpan<byte> data, int offset, int width)
    {
        if (data.Length - offset <= width)
        {
            throw MessagePackFault.Short(data, offset, 1 + width);
        }

        return width switch
        {
            1 => data[offset + 1],
            2 => BinaryPrimitives.ReadUInt16BigEndian(data.Slice(offset + 1)),
            _ => BinaryPrimitives.ReadUInt32BigEndian(data.Slice(offset + 1)),
        };
    }
}
