using System;
using System.Threading;

namespace Transport;

/// <summary>How many bytes may wait to be written. Counted in bytes, because a bound in packets means nothing from 50 B to 5 MB.</summary>
internal sealed class ByteBudget(long limit)
{
    private const long MostReserve = 256 << 10;

    // Each is a count by itself, changed by compare and exchange: senders take, and the pump and leaving waiters give, without a lock.
    // Nothing else is ordered by them; WaitingLine says how a sender that found no capacity hears of bytes that are given back.
    private long _used;
    private long _reserved;   // of the reserve; the same

    /// <summary>Gets the bytes taken, the reserve's among them.</summary>
    public long Used => Volatile.Read(ref _used) + Volatile.Read(ref _reserved);

    /// <summary>Gets the bytes that may be taken at once by small packets.</summary>
    public long Limit => limit;

    /// <summary>Gets the bytes on top of the limit that only the urgent lane may take: a full queue of logs, or one large packet, must not
    /// shut out a cancel.</summary>
    public long Reserve { get; } = Math.Min(limit / 8, MostReserve);

    /// <summary>Checks whether there is capacity for anything at all below a mark; cheap, and asked before a packet is
    /// serialized.</summary>
    public bool CanAdmit(long most) => Volatile.Read(ref _used) < most;

    /// <summary>Checks whether the reserve has capacity for anything at all.</summary>
    public bool HasReserve => Volatile.Read(ref _reserved) < Reserve;

    /// <summary>Checks whether <see cref="TryTake"/> would take so many bytes now, up to the limit.</summary>
    public bool Fits(long bytes)
    {
        long used = Volatile.Read(ref _used);
        return used == 0 || used + bytes <= limit;
    }

    /// <summary>Checks whether <see cref="TryTakeReserve"/> would take so many bytes now.</summary>
    public bool FitsReserve(long bytes) => Volatile.Read(ref _reserved) + bytes <= Reserve;

    /// <summary>Takes bytes, if with them no more than <paramref name="most"/> is taken, or nothing else is: an empty queue takes any
    /// packet.</summary>
    /// <remarks>Never counts what it then refuses: two refused callers that saw each other's bytes would both wait for capacity that is
    /// there.</remarks>
    public bool TryTake(long bytes, long most)
    {
        long used = Volatile.Read(ref _used);
        while (used == 0 || used + bytes <= most)
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

    /// <summary>Takes bytes of the reserve, which is no more than it is: an empty one takes no larger packet.</summary>
    public bool TryTakeReserve(long bytes)
    {
        long reserved = Volatile.Read(ref _reserved);
        while (reserved + bytes <= Reserve)
        {
            long before = Interlocked.CompareExchange(ref _reserved, reserved + bytes, reserved);
            if (before == reserved)
            {
                return true;
            }

            reserved = before;
        }

        return false;
    }

    /// <summary>Gives bytes back.</summary>
    public void Give(long bytes) => Interlocked.Add(ref _used, -bytes);

    /// <summary>Returns bytes of the urgent lane: first to the reserve, whichever they were taken from.</summary>
    public void GiveUrgent(long bytes)
    {
        long reserved = Volatile.Read(ref _reserved);
        long back;
        while (true)
        {
            back = Math.Min(bytes, reserved);
            long before = Interlocked.CompareExchange(ref _reserved, reserved - back, reserved);
            if (before == reserved)
            {
                break;
            }

            reserved = before;
        }

        Give(bytes - back);
    }

    /// <summary>Returns bytes that a lane took.</summary>
    public void GiveFrom(Lane lane, long bytes)
    {
        if (lane == Lane.Urgent)
        {
            GiveUrgent(bytes);
        }
        else
        {
            Give(bytes);
        }
    }
}
