using System;
using System.IO;
using System.IO.MemoryMappedFiles;
using System.Runtime.InteropServices;
using System.Threading;

namespace Transport.Chaos.Ledgers;

/// <summary>The worker's own book, in a mapped file: what it wrote there outlives its exit, however sudden. Mapped until the process ends,
/// because its threads write to the last.</summary>
internal sealed unsafe class LedgerFile
{
    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly long* _at;

    /// <summary>Opens the book to write in it.</summary>
    /// <param name="path">The file, made by <see cref="Create"/>.</param>
    public LedgerFile(string path)
    {
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.Open);
        _view = _file.CreateViewAccessor();
        byte* start = null;
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref start);
        _at = (long*)start;
    }

    /// <summary>Makes an empty book.</summary>
    public static void Create(string path)
    {
        using FileStream file = new(path, FileMode.CreateNew);
        file.SetLength(LedgerPage.Longs * sizeof(long));
    }

    /// <summary>Reads a book, of a process that lives or of one that has exited.</summary>
    public static LedgerPage Read(string path) => new(MemoryMarshal.Cast<byte, long>(File.ReadAllBytes(path)).ToArray());

    public void Set(int entry, long value) => Volatile.Write(ref _at[entry], value);

    public void Add(int entry) => Interlocked.Increment(ref _at[entry]);
}
