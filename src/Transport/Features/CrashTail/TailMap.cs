using System;
using System.IO;
using System.IO.MemoryMappedFiles;

namespace Transport;

/// <summary>The file of the tail as this process's memory. What is written there is in the system's keeping at once, and stays there when
/// the process is killed.</summary>
/// <remarks>A worker's stays mapped: a sender may be writing. A process has one, as it has one main node.</remarks>
internal sealed unsafe class TailMap
{
    private readonly MemoryMappedViewAccessor _view;

    private TailMap(MemoryMappedViewAccessor view, byte* start, int length)
    {
        _view = view;
        Start = start;
        Length = length;
    }

    public byte* Start { get; }

    public int Length { get; }

    /// <summary>Maps the file that a main node has made.</summary>
    /// <param name="path">The file, or <c>fd:NUMBER,INODE</c> of one that was inherited; links are not looked for: the process that names
    /// it has started this one.</param>
    /// <param name="problem">Why it cannot be used.</param>
    /// <returns>The map, or null.</returns>
    public static TailMap? TryOpen(string path, out string problem)
    {
        if (TailFile.Find(path, out int inherited) is not { } name)
        {
            problem = "another file stands at that descriptor";
            return null;
        }

        try
        {
            using var file = new FileStream(name, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
            if (file.Length is < TailLayout.Least or > TailLayout.Most)
            {
                problem = $"it has {file.Length} bytes; expected {TailLayout.Least} to {TailLayout.Most}";
                return null;
            }

            var length = (int)file.Length;
            using MemoryMappedFile mapped = MemoryMappedFile.CreateFromFile(
                file, null, length, MemoryMappedFileAccess.ReadWrite, HandleInheritability.None, leaveOpen: true);
            MemoryMappedViewAccessor view = mapped.CreateViewAccessor(0, length, MemoryMappedFileAccess.ReadWrite);
            byte* start = null;
            view.SafeMemoryMappedViewHandle.AcquirePointer(ref start);
            var map = new TailMap(view, start + view.PointerOffset, length);
            *(long*)map.Start = TailLayout.Magic;
            problem = string.Empty;
            return map;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException
            or System.Security.SecurityException)
        {
            problem = e.Message;
            return null;
        }
        finally
        {
            FileDescriptor.Close(inherited);
        }
    }

    /// <summary>Gives the memory back, for a process that outlives its link. Only once nothing sends and the link has ended.</summary>
    public void Unmap()
    {
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
    }

    /// <summary>Gets the ring of a lane; once a lane.</summary>
    public TailLane Lane(Lane lane)
    {
        GC.KeepAlive(_view);
        return new TailLane(this, lane);
    }
}
