using System;
using System.Diagnostics;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Life;

/// <summary>The worker that is measured: <c>worker once|idle|events MILLIONS</c>.</summary>
internal static class Worker
{
    private const int Million = 1_000_000;

    private static readonly string Text = new('x', 200);

    public static Task<int> RunAsync(string[] args) => WorkerHost.RunAsync((link, stop) => args[1] switch
    {
        "once" => OnceAsync(link),
        "idle" => IdleAsync(link, stop),
        _ => EventsAsync(link, int.Parse(args[2], CultureInfo.InvariantCulture)),
    });

    private static async Task<int> OnceAsync(Link link) =>
        await link.SendAsync(NewStep(1)).ConfigureAwait(false) == SendResult.Queued ? 0 : 1;

    private static async Task<int> IdleAsync(Link link, CancellationToken stop)
    {
        if (await link.SendAsync(NewStep(1)).ConfigureAwait(false) != SendResult.Queued)
        {
            return 1;
        }

        try
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, stop).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // the main node has measured
        }

        return 0;
    }

    private static async Task<int> EventsAsync(Link link, int millions)
    {
        for (int million = 0; million < millions; million++)
        {
            TimeSpan before = million == 0 ? TimeSpan.Zero : Process.GetCurrentProcess().TotalProcessorTime;
            for (int i = 0; i < Million; i++)
            {
                if (await link.SendAsync(NewStep(i)).ConfigureAwait(false) != SendResult.Queued)
                {
                    return 1;
                }
            }

            Console.WriteLine(FormattableString.Invariant(
                $"cpu {(Process.GetCurrentProcess().TotalProcessorTime - before).TotalMilliseconds}"));
        }

        return 0;
    }

    private static Step NewStep(long number) => new(number, Stopwatch.GetTimestamp(), Text);
}
