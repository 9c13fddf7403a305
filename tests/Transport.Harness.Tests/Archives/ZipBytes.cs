using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Text;

namespace BuildHarness.Tests.Archives;

/// <summary>One entry of <see cref="ZipBytes"/>: the local header is as the central one but for what is set otherwise.</summary>
internal sealed class ZipItem(string name, string content = "")
{
    public byte[] Name { get; init; } = Encoding.UTF8.GetBytes(name);

    public byte[] Content { get; init; } = Encoding.UTF8.GetBytes(content);

    public byte[]? LocalName { get; init; }

    public int Method { get; init; } = 8;

    public int? LocalMethod { get; init; }

    public int Flags { get; init; }

    public int? LocalFlags { get; init; }

    public uint? Crc { get; init; }

    public uint? LocalCrc { get; init; }

    public long? Size { get; init; }

    public uint? LocalSize { get; init; }

    public uint? LocalCompressed { get; init; }

    /// <summary>Gets what the data is, if it is not the content compressed.</summary>
    public byte[]? Data { get; init; }

    public int MadeBy { get; init; } = 3;

    public int Mode { get; init; } = 0x81a4;

    public uint DosTime { get; init; } = 0x5a21_6000;

    public uint? LocalTime { get; init; }

    public byte[] Extra { get; init; } = [];

    public byte[] LocalExtra { get; init; } = [];

    public int Disk { get; init; }

    /// <summary>Gets the bytes of the data descriptor, signature and all, behind the data.</summary>
    public byte[] Descriptor { get; init; } = [];

    /// <summary>Gets bytes behind the entry that belong to none.</summary>
    public byte[] Gap { get; init; } = [];

    /// <summary>Gets where the directory says that the entry is, instead of where it is.</summary>
    public long? Place { get; init; }
}

/// <summary>Writes zip byte by byte, also what no program would write.</summary>
internal sealed class ZipBytes
{
    private readonly List<ZipItem> _items = [];

    public byte[] Before { get; init; } = [];

    public byte[] BetweenDirectoryAndEnd { get; init; } = [];

    public byte[] After { get; init; } = [];

    public byte[] Comment { get; init; } = [];

    public int? Entries { get; init; }

    public int Disk { get; init; }

    public int DirectorySizeError { get; init; }

    /// <summary>Gets a value indicating whether the end is written in its 64-bit form too, and the short one says nothing.</summary>
    public bool Is64 { get; init; }

    public long Error64 { get; init; }

    public static byte[] Of(params ZipItem[] items) => new ZipBytes().Add(items).End();

    public static byte[] Deflate(byte[] content)
    {
        using var compressed = new MemoryStream();
        using (var deflate = new DeflateStream(compressed, CompressionLevel.Optimal, leaveOpen: true))
        {
            deflate.Write(content);
        }

        return content.Length == 0 ? [3, 0] : compressed.ToArray();
    }

    public static uint Crc(ReadOnlySpan<byte> bytes)
    {
        uint crc = uint.MaxValue;
        foreach (byte value in bytes)
        {
            crc ^= value;
            for (int bit = 0; bit < 8; bit++)
            {
                crc = (crc >> 1) ^ ((crc & 1) * 0xEDB88320);
            }
        }

        return ~crc;
    }

    public ZipBytes Add(params ZipItem[] items)
    {
        _items.AddRange(items);
        return this;
    }

    public byte[] End()
    {
        var bytes = new MemoryStream();
        using var w = new BinaryWriter(bytes);
        using var directory = new MemoryStream();
        w.Write(Before);
        foreach (ZipItem item in _items)
        {
            Write(item, w, directory);
        }

        long start = bytes.Length;
        w.Write(directory.ToArray());
        w.Write(BetweenDirectoryAndEnd);
        long place64 = bytes.Length;
        int count = Entries ?? _items.Count;
        long size = directory.Length + DirectorySizeError;
        if (Is64)
        {
            w.Write(0x06064b50u);
            w.Write(44L);
            w.Write((ushort)45);
            w.Write((ushort)45);
            w.Write(0u);
            w.Write(0u);
            w.Write((long)count);
            w.Write((long)count);
            w.Write(size);
            w.Write(start + Error64);
            w.Write(0x07064b50u);
            w.Write(0u);
            w.Write(place64);
            w.Write(1u);
        }

        w.Write(0x06054b50u);
        w.Write((ushort)Disk);
        w.Write((ushort)Disk);
        w.Write(Is64 ? ushort.MaxValue : (ushort)count);
        w.Write(Is64 ? ushort.MaxValue : (ushort)count);
        w.Write(Is64 ? uint.MaxValue : (uint)size);
        w.Write(Is64 ? uint.MaxValue : (uint)start);
        w.Write((ushort)Comment.Length);
        w.Write(Comment);
        w.Write(After);
        return bytes.ToArray();
    }

    private static void Write(ZipItem item, BinaryWriter w, MemoryStream directory)
    {
        byte[] data = item.Data ?? (item.Method == 8 ? Deflate(item.Content) : item.Content);
        uint crc = item.Crc ?? Crc(item.Content);
        uint size = (uint)(item.Size ?? item.Content.Length);
        bool later = (item.Flags & 8) != 0;
        long place = item.Place ?? w.BaseStream.Length;
        byte[] localName = item.LocalName ?? item.Name;
        w.Write(0x04034b50u);
        w.Write((ushort)20);
        w.Write((ushort)(item.LocalFlags ?? item.Flags));
        w.Write((ushort)(item.LocalMethod ?? item.Method));
        w.Write(item.LocalTime ?? item.DosTime);
        w.Write(item.LocalCrc ?? (later ? 0 : crc));
        w.Write(item.LocalCompressed ?? (later ? 0 : (uint)data.Length));
        w.Write(item.LocalSize ?? (later ? 0 : size));
        w.Write((ushort)localName.Length);
        w.Write((ushort)item.LocalExtra.Length);
        w.Write(localName);
        w.Write(item.LocalExtra);
        w.Write(data);
        w.Write(item.Descriptor);
        w.Write(item.Gap);
        using var d = new BinaryWriter(directory, Encoding.UTF8, leaveOpen: true);
        d.Write(0x02014b50u);
        d.Write((byte)20);
        d.Write((byte)item.MadeBy);
        d.Write((ushort)20);
        d.Write((ushort)item.Flags);
        d.Write((ushort)item.Method);
        d.Write(item.DosTime);
        d.Write(crc);
        d.Write((uint)data.Length);
        d.Write(size);
        d.Write((ushort)item.Name.Length);
        d.Write((ushort)item.Extra.Length);
        d.Write((ushort)0);
        d.Write((ushort)item.Disk);
        d.Write((ushort)0);
        d.Write((uint)item.Mode << 16);
        d.Write((uint)place);
        d.Write(item.Name);
        d.Write(item.Extra);
    }
}
