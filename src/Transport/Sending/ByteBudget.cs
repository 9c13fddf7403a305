using System.Threading;

namespace Transport.Sending;

/// <summary>How many bytes may wait to be written. Counted in bytes, because a bound in packets means nothing from 50 B to 5 MB.</summary>
internal sealed class ByteBudget(long limit)
{
    private long _used;

    /// <summary>Gets the bytes taken.</summary>
    public long Used => Volatile.Read(ref _used);

    /// <summary>Gets the bytes that may be taken at once by small packets.</summary>
    public long Limit => limit;

    /// <summary>Gets a value indicating whether there is room for anything at all; cheap, and asked before a packet is serialized.</summary>
    public bool HasRoom => Volatile.Read(ref _used) < limit;

    /// <summary>Says whether <see cref="TryTake"/> would take so many bytes now.</summary>
    public bool Fits(long bytes)
    {
        long used = Volatile.Read(ref _used);
        return used == 0 || used + bytes <= limit;
    }

    /// <summary>Takes bytes, where they fit or nothing else is taken: an empty queue takes any packet.</summary>
    /// <remarks>Never counts what it then refuses: two refused callers that saw each other's bytes would both wait for room that is there.</remarks>
    public bool TryTake(long bytes)
    {
        long used = Volatile.Read(ref _used);
        while (used == 0 || used + bytes <= limit)
        {
            long before = Interlocked.CompareExchange(ref _used, used + bytes, used);
            if (before == used)
            {
                return true;
            }

            used = before;
        }

        return false;
    }

    /// <summary>Gives bytes back.</summary>
    public void Give(long bytes) => Interlocked.Add(ref _used, -bytes);
}
