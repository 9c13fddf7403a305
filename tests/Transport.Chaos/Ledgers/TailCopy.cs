using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.IO;

namespace Transport.Chaos.Ledgers;

/// <summary>The file of an exited worker's tail, kept by a second name, or as an open file if it has none, and read here by
/// docs/reference/tail-format.md alone: the library's own reader is what is judged by it.</summary>
internal sealed class TailCopy
{
    private const int Header = 1024, LaneBlock = 256, Step = 32, RecordHeader = 32;
    private const long Magic = 0x3130_4c49_4154_5254;

    private readonly byte[] _file;
    private readonly List<long>[] _recorded = [[], [], [], []];

    private TailCopy(byte[] file)
    {
        _file = file;
        for (Lane lane = Lane.Urgent; lane <= Lane.Bulk; lane++)
        {
            Walk(lane);
        }
    }

    /// <summary>Gives a file the name that <see cref="Read"/> looks for. Before the worker connects: then its main node takes the first
    /// name away.</summary>
    public static void Keep(string tail, string book)
    {
        if (!tail.StartsWith("fd:", StringComparison.Ordinal))
        {
            Native.Link(tail, PathOf(book));
        }
    }

    /// <summary>Opens the file that a worker has inherited; as soon as it has started.</summary>
    public static FileStream Hold(int worker) => new(
        string.Create(CultureInfo.InvariantCulture, $"/proc/{worker}/fd/5"), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);

    /// <summary>Reads what was kept beside a book, and removes it.</summary>
    /// <returns>Null if the worker died before it used its tail.</returns>
    /// <param name="book">The book.</param>
    /// <param name="held">What <see cref="Hold"/> has opened in its place, or null.</param>
    public static TailCopy? Read(string book, FileStream? held = null)
    {
        if (held is not null)
        {
            byte[] all = new byte[held.Length];
            held.Position = 0;
            held.ReadExactly(all);
            return Number(all, 0) == Magic ? new TailCopy(all) : null;
        }

        string path = PathOf(book);
        if (!File.Exists(path))
        {
            return null;
        }

        byte[] file = File.ReadAllBytes(path);
        File.Delete(path);
        return Number(file, 0) == Magic ? new TailCopy(file) : null;
    }

    /// <summary>Gets the packets that were committed to a lane.</summary>
    public long Committed(Lane lane) => Number(_file, ((int)lane * LaneBlock) + 16);

    /// <summary>Gets the packets of a lane that found no capacity.</summary>
    public long Unrecorded(Lane lane) => Number(_file, ((int)lane * LaneBlock) + 24);

    /// <summary>Gets how many packets of a lane have a record that was not freed.</summary>
    public int Records(Lane lane) => _recorded[(int)lane].Count;

    /// <summary>Checks whether the packet of this number in its lane, counted from 1, has a record.</summary>
    public bool Has(Lane lane, long packet) => _recorded[(int)lane].BinarySearch(packet) >= 0;

    private static string PathOf(string book) => book + ".kept";

    private static long Number(byte[] file, long at) => BinaryPrimitives.ReadInt64LittleEndian(file.AsSpan((int)at));

    private void Walk(Lane lane)
    {
        int block = (int)lane * LaneBlock;
        long steps = (_file.Length - Header) / Step, urgent = steps / 8, bulk = steps / 4, normal = steps - urgent - bulk;
        (long start, long size) = lane switch
        {
            Lane.Urgent => (0L, urgent),
            Lane.Normal => (urgent, normal),
            _ => (urgent + normal, bulk),
        };
        (start, size) = (Header + (start * Step), size * Step);
        long end = Number(_file, block), head = Number(_file, block + 128);
        while (head < end)
        {
            long record = start + (head % size);
            _recorded[(int)lane].Add(Number(_file, record + 8));
            head += RecordHeader + ((Number(_file, record + 16) + Step - 1) / Step * Step);
        }
    }
}
