using System;
using System.Collections.Generic;
using System.IO;
using Transport.Testing.Wires;

namespace Transport.Fuzz.Targets;

/// <summary>A wire whose peer has said everything already: reads give it piece by piece and never wait, so that a whole conversation runs
/// on one thread.</summary>
internal sealed class ScriptWire(byte[] stream, Chunks chunks) : IWire
{
    private readonly List<byte> _written = [];

    public WireKind Kind => WireKinds.OfMemory;

    public PeerIdentity Peer { get; init; } = new() { UserId = 1000, GroupId = 1000, ProcessId = 4711, IsCurrentUser = true };

    public bool IsAborted { get; private set; }

    /// <summary>Gets how many bytes were read.</summary>
    public int Position { get; private set; }

    /// <summary>Gets what was written.</summary>
    public byte[] Written => [.. _written];

    public int Read(byte[] buffer, int offset, int count, int patience)
    {
        if (IsAborted)
        {
            throw new IOException("aborted");
        }

        int taken = Math.Min(count, chunks.Next(stream.Length - Position));
        Buffer.BlockCopy(stream, Position, buffer, offset, taken);
        Position += taken;
        return taken;
    }

    public void Write(byte[] buffer, int offset, int count) => _written.AddRange(new ArraySegment<byte>(buffer, offset, count));

    public void Shutdown()
    {
    }

    public void Abort() => IsAborted = true;

    public void Dispose() => Abort();
}
