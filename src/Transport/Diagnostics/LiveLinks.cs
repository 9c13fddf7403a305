using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport;

/// <summary>The counts of all links of the process: those of links that have ended are added up, so that sums never fall. Safe from any
/// thread.</summary>
internal sealed class LiveLinks
{
    private readonly object _gate = new();
    private readonly HashSet<ILinkSums> _links = [];
    private readonly long[] _ended = new long[Sums.Count];

    /// <summary>Gets those of this process.</summary>
    public static LiveLinks All { get; } = new();

    /// <summary>Gets how many links are open.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
            {
                return _links.Count;
            }
        }
    }

    /// <summary>Gets the bytes that wait to be written, of all links.</summary>
    public long QueuedBytes => Links().Sum(static link => link.QueuedBytes);

    public void Add(ILinkSums link)
    {
        lock (_gate)
        {
            _ = _links.Add(link);
        }
    }

    public void Remove(ILinkSums link)
    {
        lock (_gate)
        {
            if (_links.Remove(link))
            {
                link.AddTo(_ended);
            }
        }
    }

    /// <summary>Returns the sums of all links so far, by <see cref="Sums"/>.</summary>
    public long[] Total()
    {
        lock (_gate)
        {
            long[] total = (long[])_ended.Clone();
            foreach (ILinkSums link in _links)
            {
                link.AddTo(total);
            }

            return total;
        }
    }

    // Copied: what a link gives now takes the locks of its queue.
    private ILinkSums[] Links()
    {
        lock (_gate)
        {
            return [.. _links];
        }
    }

    /// <summary>Where the sums stand.</summary>
    public static class Sums
    {
        /// <summary>Packets sent by lane, four of them; the same for the next two.</summary>
        public const int PacketsSent = 0;

        public const int BytesSent = 4;

        public const int PacketsReceived = 8;

        public const int BytesReceived = 12;

        public const int Refused = 13;

        public const int TooLate = 14;

        public const int MalformedTraceParents = 15;

        /// <summary>Packets dropped by level, seven of them.</summary>
        public const int Dropped = 16;

        public const int Count = 23;
    }
}

/// <summary>The counts of one link. Safe from any thread.</summary>
internal interface ILinkSums
{
    /// <summary>Gets the bytes that wait to be written now.</summary>
    long QueuedBytes { get; }

    /// <summary>Adds the counts so far to sums of several links (<see cref="LiveLinks.Sums"/>).</summary>
    void AddTo(long[] sums);
}
