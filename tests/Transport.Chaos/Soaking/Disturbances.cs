using System;
using System.Diagnostics;
using System.Threading.Tasks;
using Transport.Chaos.Ledgers;

namespace Transport.Chaos.Soaking;

/// <summary>What befalls a worker while it lives: it is stopped for a while, read slowly, or reported another level.</summary>
internal sealed class Disturbances(Link link, WorkerProcess worker, ReceivedBook book, Tally tally, Random dice, Action<TimeSpan> slowDown)
{
    /// <summary>Goes on until the process's time is up, or it has ended.</summary>
    public async Task RunAsync(int lifeMs)
    {
        book.Calm();
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start).TotalMilliseconds < lifeMs && !worker.WaitForExitAsync().IsCompleted)
        {
            switch (dice.Next(6))
            {
                case 0:
                    await StallAsync(dice.Next(20, 500));
                    break;
                case 1:
                    await SlowAsync(TimeSpan.FromMilliseconds(dice.Next(50, 800)));
                    break;
                case 2:
                    tally.Event("level changes");
                    link.SetLevels(new LevelRules(dice.Next(3) == 0 ? PacketLevel.Trace : (PacketLevel)dice.Next(7)));
                    break;
            }

            await Task.WhenAny(worker.WaitForExitAsync(), Task.Delay(dice.Next(20, 300)));
        }
    }

    private async Task StallAsync(int ms)
    {
        tally.Event("stalls (STOP, CONT)");
        book.Disturb();
        Native.Signal(worker.ProcessId, Native.Stop);
        try
        {
            await Task.WhenAny(worker.WaitForExitAsync(), Task.Delay(ms));
        }
        finally
        {
            if (!worker.WaitForExitAsync().IsCompleted)
            {
                Native.Signal(worker.ProcessId, Native.Continue);
            }

            book.Calm();
        }
    }

    private async Task SlowAsync(TimeSpan time)
    {
        tally.Event("slow reading of the main node");
        book.Disturb();
        slowDown(time);
        await Task.WhenAny(worker.WaitForExitAsync(), Task.Delay(time + TimeSpan.FromMilliseconds(20)));
        book.Calm();
    }
}
