using System;
using System.Diagnostics;
using System.Threading.Tasks;
using Transport.Chaos.Packets;
using Transport.Chaos.Workers;

namespace Transport.Chaos.Soaking;

/// <summary>What the main node sends to a worker meanwhile, so that both directions carry something.</summary>
internal sealed class Pump(WorkerPlan plan, Payloads payloads, int seed)
{
    private readonly long[] _queued = new long[4];

    /// <summary>Gets the packets queued.</summary>
    public long Queued { get; private set; }

    /// <summary>Sends until the link takes nothing more.</summary>
    public async Task RunAsync(Link link)
    {
        var dice = new Random(seed);
        while (true)
        {
            for (int left = dice.Next(1, 60); left > 0; left--)
            {
                var lane = (Lane)dice.Next(1, 4);
                var parcel = new Parcel(plan.Worker, plan.Incarnation, 0, _queued[(int)lane], dice.Next(6), Stopwatch.GetTimestamp(),
                    payloads.Piece(dice, 100_000));
                SendResult result = dice.Next(2) == 0 ? link.TrySend(Parcel.Type, parcel, lane)
                    : await link.SendAsync(Parcel.Type, parcel, lane);
                if (result == SendResult.Closed)
                {
                    return;
                }

                if (result == SendResult.Queued)
                {
                    _queued[(int)lane]++;
                    Queued++;
                }
            }

            await Task.Delay(dice.Next(1, 60));
        }
    }
}
