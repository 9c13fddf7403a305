using System;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>What a lane has given to its links and what of it is acknowledged, with the packets that are in memory until then.</summary>
/// <remarks>Safe from any thread. Its lock is held for a few steps only and nobody is called meanwhile, so who reports an Ack never waits
/// for a formatter.</remarks>
internal sealed class SpillLedger
{
    private readonly object _lock = new();
    private readonly PacketMemory _memory;
    private SentNumbers? _sent;   // of the link there is
    private SpillNumber _acknowledged;

    /// <summary>Initializes a new instance of the <see cref="SpillLedger"/> class.</summary>
    /// <param name="pool">Gives the memory.</param>
    /// <param name="memoryLimit">The most bytes of packets in memory.</param>
    /// <param name="findings">What earlier openings left. Its packets are taken into memory, however many they are.</param>
    public SpillLedger(SegmentPool pool, long memoryLimit, SpillFindings findings)
    {
        _memory = new PacketMemory(pool, memoryLimit);
        _acknowledged = findings.Acknowledged;
        foreach (SavedPacket saved in findings.Saved)
        {
            _memory.Add(saved.Number, saved.Packet.Span);
        }
    }

    /// <summary>Gets the number up to which everything is acknowledged.</summary>
    public SpillNumber Acknowledged
    {
        get
        {
            lock (_lock)
            {
                return _acknowledged;
            }
        }
    }

    /// <summary>Gets what is acknowledged; the default value without a link.</summary>
    public SpillProgress Progress
    {
        get
        {
            lock (_lock)
            {
                return _sent is { } sent ? new SpillProgress(_acknowledged, sent.IsSettled) : default;
            }
        }
    }

    /// <summary>Gets the bytes that packets in memory take.</summary>
    public long MemoryBytes
    {
        get
        {
            lock (_lock)
            {
                return _memory.Bytes;
            }
        }
    }

    /// <summary>Gets the highest number of any packet that was in memory.</summary>
    public SpillNumber LastInMemory
    {
        get
        {
            lock (_lock)
            {
                return _memory.Last;
            }
        }
    }

    /// <summary>Gets a value indicating whether a packet in memory waits to be sent.</summary>
    public bool HasUnsent
    {
        get
        {
            lock (_lock)
            {
                return _memory.HasUnsent;
            }
        }
    }

    /// <summary>Begins a link. What is acknowledged through another one is ignored from now on.</summary>
    /// <returns>What names the link in <see cref="Acknowledge"/>.</returns>
    public object Attach()
    {
        lock (_lock)
        {
            return _sent = new SentNumbers();
        }
    }

    /// <summary>Ends the link: everything in memory counts as not sent. Nothing is acknowledged, so nothing leaves the memory, until the
    /// next one.</summary>
    /// <returns>Everything in memory; valid until the next <see cref="Attach"/>.</returns>
    public List<SavedPacket> Detach()
    {
        lock (_lock)
        {
            _sent = null;
            _memory.Rewind();
            return _memory.ToList();
        }
    }

    /// <summary>Adds a packet that waits in memory to be sent, and is there until it is acknowledged.</summary>
    /// <returns>False: there is no capacity, and nothing has changed.</returns>
    /// <exception cref="OutOfMemoryException">The pool has no memory; nothing has changed.</exception>
    public bool TryAdd(SpillNumber number, ReadOnlySpan<byte> packet)
    {
        lock (_lock)
        {
            return _memory.TryAdd(number, packet);
        }
    }

    /// <summary>Takes back the packet that was added last, which the link did not take; nobody else sends meanwhile.</summary>
    public void RemoveLast()
    {
        lock (_lock)
        {
            _memory.RemoveLast();
        }
    }

    /// <summary>Notes that the link has taken a packet of the journal.</summary>
    /// <returns>What is acknowledged now.</returns>
    public SpillProgress AddSpilled(long position, long ordinal)
    {
        lock (_lock)
        {
            return NoteSent(SpillNumber.At(position), ordinal);
        }
    }

    /// <summary>Shows the first packet in memory that was not sent; valid until it is acknowledged.</summary>
    public bool TryPeek(out SpillNumber number, out ReadOnlyMemory<byte> packet)
    {
        lock (_lock)
        {
            return _memory.TryPeek(out number, out packet);
        }
    }

    /// <summary>Notes that the packet which <see cref="TryPeek"/> shows was sent.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="ordinal">Its ordinal in the link's lane; 0: the link does not take it at all.</param>
    /// <returns>What is acknowledged now.</returns>
    public SpillProgress MarkSent(SpillNumber number, long ordinal)
    {
        lock (_lock)
        {
            _memory.MarkSent();
            return ordinal > 0 ? NoteSent(number, ordinal) : default;
        }
    }

    /// <summary>Notes that a link's peer has acknowledged so many packets of the lane.</summary>
    /// <param name="link">What <see cref="Attach"/> returned.</param>
    /// <param name="packets">The packets.</param>
    /// <returns>What is acknowledged now.</returns>
    public SpillProgress Acknowledge(object link, long packets)
    {
        lock (_lock)
        {
            if (!ReferenceEquals(link, _sent))
            {
                return default;
            }

            _sent.Acknowledge(packets);
            return Settle(_sent);
        }
    }

    private SpillProgress NoteSent(SpillNumber number, long ordinal)
    {
        SentNumbers sent = _sent!;
        sent.Add(number, ordinal);
        return Settle(sent);
    }

    private SpillProgress Settle(SentNumbers sent)
    {
        if (sent.Acknowledged <= _acknowledged)
        {
            return default;
        }

        _acknowledged = sent.Acknowledged;
        _memory.Release(_acknowledged);
        return new SpillProgress(_acknowledged, sent.IsSettled);
    }
}

/// <summary>What became acknowledged.</summary>
/// <param name="Number">The number up to which everything is acknowledged; the default value: that is no news.</param>
/// <param name="IsSettled">Whether everything that the link was given is acknowledged.</param>
internal readonly record struct SpillProgress(SpillNumber Number, bool IsSettled)
{
    /// <summary>Gets a value indicating whether anything became acknowledged.</summary>
    public bool IsNews => Number.IsAny;
}
