using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;
using Transport.Chaos.Ledgers;
using Transport.Chaos.Packets;

namespace Transport.Chaos.Workers;

/// <summary>One of several that send at once: bursts of packets of any size, in any lane, by any way in.</summary>
internal sealed class Producer(int number, WorkerPlan plan, Link link, LedgerFile ledger, Payloads payloads)
{
    private readonly Random _dice = new(unchecked((plan.Seed * 31) + number));
    private readonly long[] _queued = new long[4];

    /// <summary>Sends until asked to stop, or until the link takes nothing more.</summary>
    public async Task RunAsync(CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            for (int left = _dice.Next(1, 300); left > 0 && !stop.IsCancellationRequested; left--)
            {
                if (!await SendAsync())
                {
                    return;
                }
            }

            // Between two bursts: what runs dry now and then is another case than what never does.
            await Task.Delay(_dice.Next(1, 30), CancellationToken.None);
        }
    }

    /// <returns>False if the link is closed.</returns>
    private async Task<bool> SendAsync()
    {
        int level = _dice.Next(6);
        if (level < (int)link.Levels.Least)
        {
            ledger.Add(LedgerPage.BelowLevel);
            return true;
        }

        Lane lane = _dice.Next(10) switch { 0 => Lane.Urgent, < 7 => Lane.Normal, _ => Lane.Bulk };
        int largest = lane switch { Lane.Urgent => 2_000, Lane.Normal => 60_000, _ => Payloads.Largest };
        ledger.Set(LedgerPage.Tried(number, lane), _queued[(int)lane] + 1);
        ledger.Add(LedgerPage.Offered);
        ReadOnlyMemory<byte> payload = payloads.Piece(_dice, Math.Min(largest, plan.Largest));
        var parcel = new Parcel(plan.Worker, plan.Incarnation, number, _queued[(int)lane], level, Stopwatch.GetTimestamp(), payload);

        // An urgent packet that waited for capacity would report nothing of how long its lane takes.
        int way = _dice.Next(lane == Lane.Urgent ? 4 : 7);
        SendResult result = way switch
        {
            1 or 2 => link.TrySend(Parcel.Type, parcel, lane, LanePolicy.Drop),
            0 or 3 or 4 => link.TrySend(Parcel.Type, parcel, lane),
            5 => link.Send(Parcel.Type, parcel, TimeSpan.FromMilliseconds(50), lane),
            _ => await link.SendAsync(Parcel.Type, parcel, lane),
        };
        if (result == SendResult.Queued)
        {
            ledger.Set(LedgerPage.Queued(number, lane), ++_queued[(int)lane]);
            return true;
        }

        // Answered, and not queued: no packet is in the air any more.
        ledger.Set(LedgerPage.Tried(number, lane), _queued[(int)lane]);
        switch (result)
        {
            case SendResult.Full:
                ledger.Add(way is 1 or 2 ? LedgerPage.Dropped + level : LedgerPage.Refused);
                return true;
            default:
                ledger.Add(LedgerPage.Closed);
                return false;
        }
    }
}
