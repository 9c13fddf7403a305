using System;
using System.IO;
using System.Threading.Tasks;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>The tail of a peer that is a script: the test writes the records, the link reads them.</summary>
internal sealed class LeftTail : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly TailLane?[] _lanes;

    public LeftTail()
    {
        File = TailFile.Create(Path.Combine(_folder.Path, "1-00000000.tail"), 1 << 20);
        TailMap map = TailMap.TryOpen(File.Path, out _)!;
        _lanes = [null, map.Lane(Lane.Urgent), map.Lane(Lane.Normal), map.Lane(Lane.Bulk)];
    }

    public TailFile File { get; }

    /// <summary>Adds one record.</summary>
    /// <param name="lane">The lane.</param>
    /// <param name="frames">The frames of a packet, with those of the tables in front of it.</param>
    /// <param name="packets">How many packets they are.</param>
    /// <returns>False if its ring is full.</returns>
    public bool TryAdd(Lane lane, byte[] frames, int packets = 1)
    {
        TailLane ring = _lanes[(int)lane]!;
        if (!ring.Begin(frames.Length, packets))
        {
            return false;
        }

        ring.Append(frames, 0, frames.Length);
        ring.Complete();
        return true;
    }

    /// <summary>Reads the file as the main node does after the process has exited.</summary>
    public Task<TailContent?> ReadAsync() => Task.FromResult<TailContent?>(new TailContent(File.Read(out string? problem), problem));

    public void Dispose()
    {
        File.Dispose();
        _folder.Dispose();
    }
}
