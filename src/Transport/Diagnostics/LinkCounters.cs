using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;

namespace Transport;

/// <summary>What a link has done so far, readable from any thread while it runs. Numbers only grow, but for the depths.</summary>
public sealed class LinkCounters
{
    private const int Lanes = 4;

    private readonly object _unknownLock = new();   // over the next two
    private readonly Dictionary<int, long> _unknown = [];
    private long _malformedTraceParents;
    private readonly long[] _packetsSent = new long[Lanes];       // by lane, as the next two
    private readonly long[] _bytesSent = new long[Lanes];
    private readonly long[] _packetsReceived = new long[Lanes];
    private long _bytesReceived;
    private long _fullAnswers;
    private long _closedAnswers;
    private long _writeTicks;
    private long _waitTicks;
    private long _writes;
    private long _wakes;
    private long _unknownPackets;

    internal LinkCounters()
    {
    }

    /// <summary>Returns packets and bytes, sent and received.</summary>
    public override string ToString() => FormattableString.Invariant(
        $"sent {PacketsSent} packets, {BytesSent} bytes; received {PacketsReceived} packets, {BytesReceived} bytes");

    /// <summary>Gets the packets of lanes 1 to 3 whose last frame was written.</summary>
    public long PacketsSent => Sum(_packetsSent);

    /// <summary>Gets the bytes written to the wire, all frames.</summary>
    public long BytesSent => Sum(_bytesSent);

    /// <summary>Gets the packets of lanes 1 to 3 received whole and handled.</summary>
    public long PacketsReceived => Sum(_packetsReceived);

    /// <summary>Gets the bytes read from the wire, all frames.</summary>
    public long BytesReceived => Volatile.Read(ref _bytesReceived);

    /// <summary>Gets the bytes that wait to be written now.</summary>
    public long QueuedBytes => QueuedNow?.Invoke() ?? 0;

    /// <summary>Gets how often a send was answered Full.</summary>
    public long FullAnswers => Volatile.Read(ref _fullAnswers);

    /// <summary>Gets how often a send was answered Closed: packets that came too late.</summary>
    public long ClosedAnswers => Volatile.Read(ref _closedAnswers);

    /// <summary>Gets how many writes were made on the wire.</summary>
    public long Writes => Volatile.Read(ref _writes);

    /// <summary>Gets how often a caller had to wake the send loop: at most once an idle period.</summary>
    public long Wakes => Volatile.Read(ref _wakes);

    /// <summary>Gets the time the send pump has spent in writes.</summary>
    public TimeSpan TimeInWrite => Time(ref _writeTicks);

    /// <summary>Gets the time that callers of Send and SendAsync have waited for capacity, of all callers together.</summary>
    public TimeSpan TimeWaitedForCapacity => Time(ref _waitTicks);

    /// <summary>Gets the packets for which no handler was registered.</summary>
    public long UnknownPackets => Volatile.Read(ref _unknownPackets);

    /// <summary>Gets how many segments had to be allocated because the pool had none; 0 with
    /// <see cref="LinkOptions.Buffers"/>, whose owner knows.</summary>
    public long PoolMisses => PoolMissesNow?.Invoke() ?? 0;

    /// <summary>Gets how many requests of the peer had a trace context (<c>traceparent</c>) that is none; it was ignored.</summary>
    public long MalformedTraceParents
    {
        get
        {
            lock (_unknownLock)
            {
                return _malformedTraceParents;
            }
        }
    }

    /// <summary>Gets what gives the bytes queued now. Asked at each look: a number noted at writes would be stale just while the peer
    /// stands still.</summary>
    internal Func<long>? QueuedNow { get; init; }

    /// <summary>Gets what gives the pool's misses so far.</summary>
    internal Func<long>? PoolMissesNow { get; init; }

    /// <summary>Gets the packets for which no handler was registered, by packet type; at most 256 types are distinguished, the rest stands
    /// under -1.</summary>
    /// <returns>A copy.</returns>
    public IReadOnlyDictionary<int, long> UnknownByType()
    {
        lock (_unknownLock)
        {
            return new Dictionary<int, long>(_unknown);
        }
    }

    internal void Wrote(int lane, int bytes, int packets, long ticks)
    {
        Interlocked.Add(ref _bytesSent[lane], bytes);
        Interlocked.Add(ref _packetsSent[lane], packets);
        Interlocked.Add(ref _writeTicks, ticks);
        Interlocked.Increment(ref _writes);
    }

    internal void Read(int bytes) => Interlocked.Add(ref _bytesReceived, bytes);

    internal void Handled(int lane) => Volatile.Write(ref _packetsReceived[lane], _packetsReceived[lane] + 1);

    internal void MalformedTraceParent()
    {
        lock (_unknownLock)
        {
            _malformedTraceParents++;
        }
    }

    internal void AnsweredFull() => Interlocked.Increment(ref _fullAnswers);

    internal void AnsweredClosed() => Interlocked.Increment(ref _closedAnswers);

    internal void Woke() => Interlocked.Increment(ref _wakes);

    internal void Waited(long ticks) => Interlocked.Add(ref _waitTicks, ticks);

    internal void Unknown(int type)
    {
        Interlocked.Increment(ref _unknownPackets);
        lock (_unknownLock)
        {
            int key = _unknown.ContainsKey(type) || _unknown.Count < 256 ? type : -1;
            _unknown[key] = _unknown.TryGetValue(key, out long count) ? count + 1 : 1;
        }
    }

    /// <summary>Adds these counters to sums of several links (<see cref="LiveLinks.Sums"/>).</summary>
    internal void AddTo(long[] sums)
    {
        AddTo(sums, LiveLinks.Sums.PacketsSent, _packetsSent);
        AddTo(sums, LiveLinks.Sums.BytesSent, _bytesSent);
        AddTo(sums, LiveLinks.Sums.PacketsReceived, _packetsReceived);
        sums[LiveLinks.Sums.BytesReceived] += BytesReceived;
        sums[LiveLinks.Sums.TooLate] += ClosedAnswers;
        sums[LiveLinks.Sums.MalformedTraceParents] += MalformedTraceParents;
    }

    private static void AddTo(long[] sums, int first, long[] byLane)
    {
        for (int lane = 0; lane < byLane.Length; lane++)
        {
            sums[first + lane] += Volatile.Read(ref byLane[lane]);
        }
    }

    private static long Sum(long[] byLane)
    {
        long sum = 0;
        for (int lane = 0; lane < byLane.Length; lane++)
        {
            sum += Volatile.Read(ref byLane[lane]);
        }

        return sum;
    }

    private static TimeSpan Time(ref long ticks) =>
        new((long)(Volatile.Read(ref ticks) * ((double)TimeSpan.TicksPerSecond / Stopwatch.Frequency)));
}
