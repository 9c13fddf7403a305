using System;
using System.Threading;
using System.Threading.Tasks;
using Transport.Packets;
using Transport.Wires;

namespace Transport.Loads.Rivals;

/// <summary>A wire that counts the bytes of bulk written before an urgent packet. A segment holds frames of one lane, and a write is one segment.</summary>
internal sealed class UrgentWire(IWire wire) : IWire
{
    private const int LaneAt = 1;      // PROTOCOL.md, frame: the byte behind 0x93
    private const int LaneBits = 3;

    private readonly SemaphoreSlim _written = new(0);
    private long _bulk;
    private long _from;
    private long _before;

    public string Kind => wire.Kind;

    public PeerIdentity Peer => wire.Peer;

    /// <summary>An urgent packet is about to be sent: counts from here. What a write under way still has to write counts in full.</summary>
    public void Expect() => Volatile.Write(ref _from, Volatile.Read(ref _bulk));

    /// <summary>Waits for its write.</summary>
    /// <returns>The bytes of bulk whose writes ended in between.</returns>
    public long WaitForUrgent() => _written.Wait(TimeSpan.FromSeconds(30)) ? Volatile.Read(ref _before) : throw new LoadException("An urgent packet was not written for 30 s.");

    public void Write(byte[] buffer, int offset, int count)
    {
        var lane = (Lane)(buffer[offset + LaneAt] & LaneBits);
        if (lane == Lane.Urgent)
        {
            Volatile.Write(ref _before, _bulk - Volatile.Read(ref _from));
        }

        wire.Write(buffer, offset, count);
        if (lane == Lane.Bulk)
        {
            Volatile.Write(ref _bulk, _bulk + count);
        }
        else if (lane == Lane.Urgent)
        {
            _written.Release();
        }
    }

    public ValueTask<int> ReadAsync(byte[] buffer, int offset, int count) => wire.ReadAsync(buffer, offset, count);

    public void CompleteWriting() => wire.CompleteWriting();

    public void Abort() => wire.Abort();

    public void Dispose()
    {
        wire.Dispose();
        _written.Dispose();
    }
}
