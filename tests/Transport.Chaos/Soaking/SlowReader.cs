using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;
using Transport.Chaos.Ledgers;

namespace Transport.Chaos.Soaking;

/// <summary>The main node's handler: writes each packet down; for a while, if it is reported so, as a slow reader.</summary>
internal sealed class SlowReader(ReceivedBook book)
{
    private static readonly TimeSpan Each = TimeSpan.FromMilliseconds(10);

    private long _slowUntil;

    /// <summary>Takes a packet.</summary>
    public Task TakeAsync(RawPacket packet)
    {
        if (Stopwatch.GetTimestamp() < Volatile.Read(ref _slowUntil))
        {
            return TakeSlowlyAsync(packet.Lease());
        }

        book.Take(packet);
        return Task.CompletedTask;
    }

    /// <summary>From now on for so long, each packet takes 10 ms.</summary>
    public void SlowDown(TimeSpan time) =>
        Volatile.Write(ref _slowUntil, Stopwatch.GetTimestamp() + (long)(time.TotalSeconds * Stopwatch.Frequency));

    private async Task TakeSlowlyAsync(PacketLease packet)
    {
        await Task.Delay(Each);
        book.Take(packet.Packet);
    }
}
