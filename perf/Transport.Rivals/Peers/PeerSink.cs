using System;
using System.Diagnostics;
using System.Threading;
using Transport.Loads;
using Transport.Loads.Events;

namespace Transport.Rivals.Peers;

/// <summary>Where every receiver gives what comes: checks each event whole, and its place in the order of its sender. Safe for any thread,
/// as long as those of one sender come one at a time.</summary>
internal sealed class PeerSink : IDisposable
{
    /// <summary>How far the numbers of two senders are apart.</summary>
    public const long Stride = 1 << 24;

    /// <summary>The most senders.</summary>
    public const int Senders = 8;

    private readonly EventCatalog _catalog = new();
    private readonly BodySet? _bodies;
    private readonly SemaphoreSlim _all = new(0);
    private readonly long[] _next = new long[Senders * 16]; // a cache line for each
    private uint _nextBody;
    private long _count;
    private long _until = long.MaxValue;
    private string? _fault;
    private long _first;
    private long _lost;

    /// <summary>Initializes a new instance of the <see cref="PeerSink"/> class.</summary>
    /// <param name="what">The word of a <see cref="BodySet"/>, or <c>decoded</c> for events.</param>
    public PeerSink(string what) => _bodies = what == "decoded" ? null : BodySet.Make(what);

    /// <summary>Gets how many packets have arrived.</summary>
    public long Count => Interlocked.Read(ref _count);

    /// <summary>Gets when the first sender was seen to be gone, in ticks of Stopwatch; 0: not yet.</summary>
    public long LostAt => Interlocked.Read(ref _lost);

    /// <summary>Gets when the first packet arrived, in ticks of Stopwatch; 0: not yet. Known when it is counted.</summary>
    public long FirstAt => Interlocked.Read(ref _first);

    public void Take(LoadEvent e)
    {
        long at = e.Id - EventCatalog.FirstId;
        int sender = (int)(at / Stride);
        if (sender is < 0 or >= Senders || at % Stride != _next[sender * 16] || !_catalog.IsEvent(e, e.Id))
        {
            long expected = _next[Math.Clamp(sender, 0, Senders - 1) * 16];
            Fail($"Expected event {expected} of sender {sender}, got {at % Stride}, or a changed one.");
            return;
        }

        _next[sender * 16]++;
        Arrived();
    }

    public void TakeBody(ReadOnlySpan<byte> body)
    {
        if (_bodies?.IsBody(body, _nextBody) != true)
        {
            Fail($"Packet {_nextBody} arrived out of order or changed on its way.");
        }

        _nextBody++;
        Arrived();
    }

    /// <summary>Notes that a sender is gone: its connection ended or broke.</summary>
    public void SenderGone() => Interlocked.CompareExchange(ref _lost, Stopwatch.GetTimestamp(), 0);

    /// <summary>Ends the wait.</summary>
    public void Fail(string fault)
    {
        if (Interlocked.CompareExchange(ref _fault, fault, null) is null)
        {
            _all.Release();
        }
    }

    /// <summary>Says how many more will arrive.</summary>
    public void Expect(int count) => Interlocked.Exchange(ref _until, Count + count);

    /// <summary>Waits for all that were expected.</summary>
    /// <exception cref="LoadException">One was wrong, or they did not arrive in time.</exception>
    public void WaitForAll(TimeSpan limit)
    {
        bool arrived = _all.Wait(limit);
        if (_fault is not null || !arrived)
        {
            throw new LoadException(_fault ?? $"After {limit.TotalSeconds:f0} s {Count} packets had arrived; expected {_until}.");
        }
    }

    public void Dispose() => _all.Dispose();

    private void Arrived()
    {
        if (Interlocked.Read(ref _first) == 0)
        {
            Interlocked.CompareExchange(ref _first, Stopwatch.GetTimestamp(), 0);
        }

        long count = Interlocked.Increment(ref _count);
        if (count == Interlocked.Read(ref _until))
        {
            _all.Release();
        }
    }
}
