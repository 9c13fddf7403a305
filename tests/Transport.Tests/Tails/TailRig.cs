using System;
using System.Collections.Generic;
using System.IO;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Tests.Tails;

/// <summary>A tail of one lane: written as a worker does, read as a main node does.</summary>
internal sealed class TailRig : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly TailFile _file;
    private readonly Lane _lane;

    public TailRig(Lane lane = Lane.Normal, int bytes = TailLayout.Least)
    {
        _lane = lane;
        _file = TailFile.Create(Path.Combine(_folder.Path, "1-00000000.tail"), bytes);
        TailMap map = TailMap.TryOpen(_file.Path, out string problem)!;
        Assert.That(problem, Is.Empty);
        Tail = map.Lane(lane);
        Ring = TailLayout.RingOf(lane, bytes).Size;
    }

    public TailLane Tail { get; }

    public int Ring { get; }

    /// <summary>Gets everything that was put in, in order, recorded or not.</summary>
    public List<byte> Stream { get; } = [];

    /// <summary>Puts a packet in.</summary>
    /// <returns>Whether it got a record.</returns>
    public bool Put(byte[] frames, int packets = 1, int pieces = 1)
    {
        Stream.AddRange(frames);
        if (!Tail.Begin(frames.Length, packets))
        {
            return false;
        }

        for (int i = 0, from = 0; i < pieces; i++)
        {
            int count = i == pieces - 1 ? frames.Length - from : frames.Length / pieces;
            Tail.Append(frames, from, count);
            from += count;
        }

        Tail.Complete();
        return true;
    }

    /// <summary>Writes a number into the file, as any process of the same user may.</summary>
    public void Forge(int at, long number)
    {
        using var file = new FileStream(_file.Path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
        file.Position = at;
        file.Write(BitConverter.GetBytes(number), 0, sizeof(long));
    }

    public byte[] Bytes() => _file.Read(out _);

    /// <summary>Reads on from where so many bytes of the lane have come.</summary>
    public byte[] Continuation(long received, byte[]? file = null) =>
        TailReader.Open(file ?? Bytes(), out _)!.Continuation(_lane, received, out _);

    public void Dispose()
    {
        _file.Dispose();
        _folder.Dispose();
    }
}
