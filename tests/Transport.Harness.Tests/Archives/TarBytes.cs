using System;
using System.IO;
using System.Text;

namespace BuildHarness.Tests.Archives;

/// <summary>Writes tar byte by byte, also what no program would write.</summary>
internal sealed class TarBytes
{
    private readonly MemoryStream _bytes = new();

    public static byte[] One(string name, char type = '0', string link = "", string content = "", int mode = 0b110_100_100) =>
        new TarBytes().Entry(name, type, link, content, mode).End();

    public TarBytes Entry(string name, char type = '0', string link = "", string content = "", int mode = 0b110_100_100,
        long mtime = 1_700_000_000, string prefix = "") =>
        Raw(Header(Latin(name), type, Latin(link), content.Length, mode, mtime, Latin(prefix))).Content(Encoding.Latin1.GetBytes(content));

    public TarBytes Dir(string name, int mode = 0b111_101_101, long mtime = 1_700_000_000) => Entry(name, '5', mode: mode, mtime: mtime);

    /// <summary>A pax header (or a global one) of records KEY=VALUE.</summary>
    public TarBytes Pax(char type, params string[] records)
    {
        var text = new MemoryStream();
        foreach (string record in records)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(record);
            int length = bytes.Length + 3;
            while (bytes.Length + 2 + length.ToString(System.Globalization.CultureInfo.InvariantCulture).Length != length)
            {
                length++;
            }

            text.Write(Encoding.UTF8.GetBytes(FormattableString.Invariant($"{length} {record}\n")));
        }

        return Extension(type, text.ToArray());
    }

    /// <summary>GNU's long name (L) or link name (K).</summary>
    public TarBytes Gnu(char type, string text) => Extension(type, [.. Latin(text), 0]);

    public TarBytes Extension(char type, byte[] content) =>
        Raw(Header(Latin("././@LongLink"), type, [], content.Length, 0, 0, [])).Content(content);

    public TarBytes Raw(byte[] bytes)
    {
        _bytes.Write(bytes);
        return this;
    }

    public TarBytes Content(byte[] content) => Raw(content).Raw(new byte[-content.Length & 511]);

    /// <summary>Ends as tar does.</summary>
    public byte[] End() => Raw(new byte[1024]).Bytes();

    public byte[] Bytes() => _bytes.ToArray();

    /// <summary>A ustar header.</summary>
    /// <param name="sumError">What is added to its right sum.</param>
    public static byte[] Header(byte[] name, char type, byte[] link, long size, int mode, long mtime, byte[] prefix, int sumError = 0)
    {
        var block = new byte[512];
        name.AsSpan(0, Math.Min(100, name.Length)).CopyTo(block);
        Octal(block, 100, 8, mode);
        Octal(block, 108, 8, 0);
        Octal(block, 116, 8, 0);
        Octal(block, 124, 12, size);
        Octal(block, 136, 12, mtime);
        block[156] = (byte)type;
        link.AsSpan(0, Math.Min(100, link.Length)).CopyTo(block.AsSpan(157));
        "ustar\000"u8.CopyTo(block.AsSpan(257));
        prefix.CopyTo(block, 345);
        return Sum(block, sumError);
    }

    public static byte[] Sum(byte[] block, int sumError = 0)
    {
        block.AsSpan(148, 8).Fill((byte)' ');
        int sum = sumError;
        foreach (byte value in block)
        {
            sum += value;
        }

        Octal(block, 148, 7, sum);
        return block;
    }

    public static byte[] Latin(string text) => Encoding.Latin1.GetBytes(text);

    private static void Octal(byte[] block, int at, int length, long value)
    {
        if (value < 0 || value >= 1L << (3 * (length - 1)))
        {
            block[at] = value < 0 ? (byte)0xff : (byte)0x80;
            for (int i = length - 1; i > 0; i--)
            {
                block[at + i] = (byte)value;
                value >>= 8;
            }

            return;
        }

        Encoding.ASCII.GetBytes(Convert.ToString(value, 8).PadLeft(length - 1, '0') + "\0").CopyTo(block, at);
    }
}
