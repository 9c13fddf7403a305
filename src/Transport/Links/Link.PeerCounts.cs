using System;
using System.Threading;

namespace Transport;

/// <content>What the peer reports that it dropped and refused.</content>
public sealed partial class Link
{
    private long _peerDropped;
    private long[]? _peerDroppedByLevel;
    private long _peerRefused;

    /// <summary>Adds what the peer told. A lying peer must not make the sum run over.</summary>
    private static void Add(ref long sum, long more) => Volatile.Write(ref sum, Math.Min(sum, long.MaxValue - more) + more);

    private void AddByLevel(long[]? more)
    {
        long[]? sums = Volatile.Read(ref _peerDroppedByLevel);
        if (sums is null)
        {
            Volatile.Write(ref _peerDroppedByLevel, more);
            return;
        }

        for (int level = 0; level < more?.Length; level++)
        {
            Add(ref sums[level], more[level]);
        }
    }
}
