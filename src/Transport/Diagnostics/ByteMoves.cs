using System.Diagnostics;
#if COUNT_MOVES
using System.Collections.Concurrent;
using System.Threading;
#endif

namespace Transport;

/// <summary>Counts how often bytes are read and written on their way, stage by stage. Only in a build with COUNT_MOVES
/// (eng/count-moves.sh); in every other the calls are not there.</summary>
internal static class ByteMoves
{
#if COUNT_MOVES
    /// <summary>Gets what was counted; any thread.</summary>
    public static ConcurrentDictionary<string, long[]> Counts { get; } = new();
#endif

    /// <summary>Notes that a stage has read and written bytes.</summary>
    /// <param name="stage">What it does.</param>
    /// <param name="read">The bytes that it has read.</param>
    /// <param name="written">The bytes that it has written.</param>
    [Conditional("COUNT_MOVES")]
    public static void Note(string stage, long read, long written)
    {
#if COUNT_MOVES
        long[] counts = Counts.GetOrAdd(stage, static _ => new long[2]);
        Interlocked.Add(ref counts[0], read);
        Interlocked.Add(ref counts[1], written);
#endif
    }
}
