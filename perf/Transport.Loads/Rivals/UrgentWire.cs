using System;
using System.Threading;

namespace Transport.Loads.Rivals;

/// <summary>A wire that counts the bytes of bulk written before a packet of a lane above it, the urgent one by default. A segment holds
/// frames of one lane, and a write is one segment.</summary>
internal sealed class UrgentWire(IWire wire, Lane watched = Lane.Urgent) : IWire
{
    private const int LaneAt = 1;      // PROTOCOL.md, frame: the byte behind 0x93
    private const int LaneBits = 3;

    private readonly SemaphoreSlim _written = new(0);
    private long _bulk;
    private long _atUrgent;

    public WireKind Kind => wire.Kind;

    public PeerIdentity Peer => wire.Peer;

    /// <summary>Gets the bytes of bulk whose writes have ended. Read it when an urgent <c>Send</c> has returned: a write under way then
    /// counts in full.</summary>
    public long Bulk => Volatile.Read(ref _bulk);

    /// <summary>Waits for the urgent packet's write.</summary>
    /// <returns>The bytes of bulk whose writes ended between <paramref name="from"/> and its beginning.</returns>
    public long WaitForUrgent(long from) =>
        _written.Wait(TimeSpan.FromSeconds(30)) ? Math.Max(0, Volatile.Read(ref _atUrgent) - from)
            : throw new LoadException("A packet was not written for 30 s.");

    public void Write(byte[] buffer, int offset, int count)
    {
        var lane = (Lane)(buffer[offset + LaneAt] & LaneBits);
        if (lane == watched)
        {
            Volatile.Write(ref _atUrgent, _bulk);
        }

        wire.Write(buffer, offset, count);
        if (lane == Lane.Bulk)
        {
            Volatile.Write(ref _bulk, _bulk + count);
        }
        else if (lane == watched)
        {
            _written.Release();
        }
    }

    public int Read(byte[] buffer, int offset, int count, int patience) => wire.Read(buffer, offset, count, patience);

    public void Shutdown() => wire.Shutdown();

    public void Abort() => wire.Abort();

    public void Dispose()
    {
        wire.Dispose();
        _written.Dispose();
    }
}
