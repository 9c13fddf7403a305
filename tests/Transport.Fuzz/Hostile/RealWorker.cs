using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Fuzz.Hostile;

/// <summary>A worker as any: streams numbers until the main node says stop, loses none, and checks its receipt.</summary>
internal static class RealWorker
{
    private const int EveryMs = 10;
    private const int AtOnce = 100;

    public static async Task<int> RunAsync()
    {
        var stop = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        Link link = await WorkerHost.ConnectAsync(new PacketRouter().On(Numbers.Stop, (_, _) => stop.TrySetResult(true)))
            .ConfigureAwait(false);
        long sent = 0;
        using var pace = new PeriodicTimer(TimeSpan.FromMilliseconds(EveryMs));
        while (!stop.Task.IsCompleted && await pace.WaitForNextTickAsync().ConfigureAwait(false))
        {
            for (int i = 0; i < AtOnce; i++)
            {
                if (await link.SendAsync(Numbers.Stream, ++sent).ConfigureAwait(false) != SendResult.Queued)
                {
                    Console.Error.WriteLine($"packet {sent} was not taken: {(await link.Completion.ConfigureAwait(false)).Reason}");
                    return 3;
                }
            }
        }

        LinkEnd end = await link.CloseAsync("stopped").ConfigureAwait(false);
        Console.WriteLine($"sent {sent} acknowledged {end.Receipt.Acknowledged} {end}");
        return end.IsClean && end.Receipt.Acknowledged == sent ? 0 : 4;
    }
}
