using System;
using System.Collections.Generic;
using System.Threading;
using Transport.Testing.Wires;

namespace Transport.Testing.Buffers;

/// <summary>A pool that reports: what comes back is overwritten with 0xDD and kept out of use for a while, a second return throws, and at
/// the end nothing may be out.</summary>
/// <param name="inner">Where the segments come from; null: the kind that <see cref="PoolKinds.Usual"/> names.</param>
internal sealed class AccusingPool(SegmentPool? inner = null) : SegmentPool
{
    /// <summary>What returned memory is filled with.</summary>
    public const byte Poison = 0xDD;

    /// <summary>How many returned segments wait before they may be used again: code that still holds one sees the poison, or is seen by
    /// <see cref="Rent"/>.</summary>
    private const int Quarantine = 16;

    private readonly SegmentPool _inner = inner ?? PoolKinds.Open(PoolKinds.Usual);
    private readonly object _gate = new();
    private readonly Queue<Segment> _quarantine = new();
    private readonly List<string> _accusations = [];
    private int _held;
    private long _heldBytes;

    /// <summary>Gets what was done wrong so far.</summary>
    public IReadOnlyList<string> Accusations
    {
        get
        {
            lock (_gate)
            {
                return [.. _accusations];
            }
        }
    }

    /// <summary>Gets how many segments are rented and not given back.</summary>
    public int Held => Volatile.Read(ref _held);

    /// <summary>Gets the bytes of the segments that are rented and not given back.</summary>
    public long HeldBytes => Volatile.Read(ref _heldBytes);

    /// <summary>Gets the most bytes that were asked for at once.</summary>
    public int LargestRented { get; private set; }

    /// <summary>Gets or sets which rent from now on throws, as one does that finds no memory: the next is 1; 0: none. Those after it do
    /// not.</summary>
    public int FailingRent { get; set; }

    /// <inheritdoc/>
    public override long Out => _inner.Out;

    /// <inheritdoc/>
    public override long Misses => _inner.Misses;

    /// <inheritdoc/>
    public override long KeptBytes => _inner.KeptBytes;

    /// <inheritdoc/>
    public override void ReportMisses() => _inner.ReportMisses();

    /// <inheritdoc/>
    public override void Trim() => _inner.Trim();

    public override Segment Rent(int atLeast)
    {
        if (FailingRent > 0 && --FailingRent == 0)
        {
#pragma warning disable MA0012 // What the runtime throws is what senders must stand.
            throw new OutOfMemoryException("The pool was told to fail.");
#pragma warning restore MA0012
        }

        Segment segment = _inner.Rent(atLeast);
        lock (_gate)
        {
            LargestRented = Math.Max(LargestRented, atLeast);
        }

        Interlocked.Increment(ref _held);
        Interlocked.Add(ref _heldBytes, segment.Capacity);
        new Span<byte>(segment.Array).Fill(Poison);
        return segment;
    }

    public override void Return(Segment segment)
    {
        lock (_gate)
        {
            if (segment.State == SegmentState.Pooled || _quarantine.Contains(segment))
            {
                _accusations.Add($"a segment of {segment.Capacity} bytes was given back twice");
                throw new InvalidOperationException("given back twice");
            }

            new Span<byte>(segment.Array).Fill(Poison);
            segment.Used = 0;
            _quarantine.Enqueue(segment);
            if (_quarantine.Count > Quarantine)
            {
                Release(_quarantine.Dequeue());
            }
        }

        Interlocked.Decrement(ref _held);
        Interlocked.Add(ref _heldBytes, -segment.Capacity);
    }

    /// <summary>At the end of a test: looks over what waits, and says what was done wrong.</summary>
    /// <exception cref="InvalidOperationException">A segment is out, was given back twice, or was written to after it was given
    /// back.</exception>
    /// <param name="side">Whose pool it is.</param>
    /// <param name="atMost">How long what is out may take to come back; null: <see cref="WithinExtensions.Bound"/>.</param>
    public void Judge(string side, TimeSpan? atMost = null)
    {
        // A loop that was asked to end may be on its way to give back what it holds.
        SpinWait.SpinUntil(() => Held == 0, atMost ?? WithinExtensions.Bound);
        lock (_gate)
        {
            while (_quarantine.Count > 0)
            {
                Release(_quarantine.Dequeue());
            }
        }

        if (Accusations.Count > 0 || Held != 0)
        {
            throw new InvalidOperationException($"The {side} node's pool: {Held} segments are out. {string.Join("; ", Accusations)}");
        }
    }

    private void Release(Segment segment)
    {
        foreach (byte b in segment.Array)
        {
            if (b != Poison)
            {
                _accusations.Add($"a segment of {segment.Capacity} bytes was written to after it was given back");
                break;
            }
        }

        _inner.Return(segment);
    }
}
