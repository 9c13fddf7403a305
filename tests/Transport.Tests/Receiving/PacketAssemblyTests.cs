using System;
using System.Buffers;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using NUnit.Framework;

namespace Transport.Tests.Receiving;

/// <summary>Large packets put together.</summary>
internal sealed class PacketAssemblyTests
{
    private static readonly byte[] s_chunk = new byte[60_000];

    [Test]
    public void Pieces_that_somebody_keeps_hold_no_memory_when_the_packet_is_over()
    {
        var assembly = new PacketAssembly(new ShelfPool(keepBytes: 0), 1 << 20);
        WeakReference[] memory = Fill(assembly, out ReadOnlySequence<byte> kept);
        Assert.That(kept.Length, Is.EqualTo(10 * s_chunk.Length));
        assembly.Close();
        Assert.That(CollectUntil(() => Array.Exists(memory, piece => !piece.IsAlive)), Is.True, "the pieces' memory is garbage");
        GC.KeepAlive(kept.Start.GetObject());
    }

    /// <summary>In a method of its own, so that no frame refers to what it saw; Mono may find one piece in what is left of it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference[] Fill(PacketAssembly assembly, out ReadOnlySequence<byte> pieces)
    {
        for (int i = 0; i < 10; i++)
        {
            assembly.Append(1024, s_chunk, inPieces: true);
        }

        pieces = assembly.Pieces;
        Assert.That(pieces.IsSingleSegment, Is.False);
        var memory = new List<WeakReference>();
        foreach (ReadOnlyMemory<byte> piece in pieces)
        {
            Assert.That(MemoryMarshal.TryGetArray(piece, out ArraySegment<byte> array), Is.True);
            memory.Add(new WeakReference(array.Array));
        }

        return [.. memory];
    }

    private static bool CollectUntil(Func<bool> condition)
    {
        for (int i = 0; i < 10 && !condition(); i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        return condition();
    }
}
