using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;
using Transport;
using Transport.Logging;

namespace Transport.NativeTrial;

/// <summary>Main node and worker in one program, to be published in several ways that are then mixed (eng/try-native.sh).</summary>
/// <remarks>
/// <c>trial main WORKER end|kill</c> starts a worker, receives its packets and log events, and ends it in that way; exit code 0 if the exit
/// report is right. Started by a main node: the worker.
/// </remarks>
internal static class Program
{
    private const int Packets = 1000;

    private static async Task<int> Main(string[] args) => args is ["main", { } worker, "end" or "kill"]
        ? await RunMainAsync(worker, kills: args[2] == "kill").ConfigureAwait(false)
        : await WorkerHost.RunAsync((link, stop) => WorkAsync(link, stays: args is ["kill"], stop)).ConfigureAwait(false);

    private static async Task<int> WorkAsync(Link link, bool stays, CancellationToken stop)
    {
        using ILoggerFactory loggers = LoggerFactory.Create(builder => builder.AddTransport(link));
        ILogger log = loggers.CreateLogger("Trial");
        for (int i = 1; i <= Packets; i++)
        {
            if (await link.SendAsync(new Step(i, $"step {i}")).ConfigureAwait(false) != SendResult.Queued)
            {
                return 1;
            }
        }

        if (await link.SendAsync(Weight.Type, new Weight { Name = "feather", Grams = 3 }).ConfigureAwait(false) != SendResult.Queued)
        {
            return 3;
        }

        var trial = new TrialClient(link) { Timeout = TimeSpan.FromSeconds(30) };
        int sum = await trial.DoubleAsync(21).ConfigureAwait(false);
        await foreach (int number in trial.CountAsync(100).ConfigureAwait(false))
        {
            sum += number;
        }

        IStreamRequestSender sender = link;   // the short forms find the type of a request at run time
        sum += (int)(await sender.RequestAsync(new Square(3)).ConfigureAwait(false)).Value;
        sum += (int)(await sender.RequestAsync(new Square(4), new Progress<Area>()).ConfigureAwait(false)).Value;
        await foreach (Area area in sender.RequestStreamAsync(new Squares(3)).ConfigureAwait(false))
        {
            sum += (int)area.Value;
        }

        if (sum != 42 + (99 * 100 / 2) + 9 + 16 + (1 + 4 + 9))
        {
            return 2;
        }

        log.LogInformation("sent {Packets} packets", Packets);
        if (stays)
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, stop).ConfigureAwait(false);
        }

        return 0;
    }

    private static async Task<int> RunMainAsync(string program, bool kills)
    {
        long begun = Stopwatch.GetTimestamp();
        var logged = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int steps = 0, grams = 0;
        WorkerExit exit;
        await using (var main = MainNode.Start())
        {
            var start = new WorkerStartOptions(program, kills ? "kill" : "end") { Output = line => Console.Error.WriteLine(line.Text) };
            start.Router.On<Step>(step => steps += step.Number == steps + 1 ? 1 : 0)
                .On(Weight.Type, (weight, _) => grams += weight.Name == "feather" ? weight.Grams : 0)
                .On<LogEvent>(_ => logged.TrySetResult())
                .OnRequest<Square, Area>(square => new Area(square.Side * square.Side))
                .OnRequestStream<Squares, Area>((squares, _) => Area.Of(squares.Sides))
                .OnTrial(new Trial());
            WorkerProcess worker = main.StartWorker(start);
            Task<WorkerExit> ending = worker.WaitForExitAsync();
            _ = await Task.WhenAny(logged.Task, ending).ConfigureAwait(false);
            if (kills)
            {
                worker.Kill("the trial kills it");
            }

            exit = await ending.ConfigureAwait(false);
        }

        bool isRight = Weight.RefusesTheStandard() && steps == Packets && grams == 3 && logged.Task.IsCompleted
            && (kills ? exit is { Cause: "killed SIGKILL", KillReason: "the trial kills it", PacketsLost: 0 } : exit.IsSuccess);
        Console.WriteLine(FormattableString.Invariant(
            $"{(isRight ? "right" : "wrong")}: {exit}; {steps} steps, {Stopwatch.GetElapsedTime(begun).TotalMilliseconds:0} ms"));
        if (!isRight)
        {
            Console.WriteLine(exit.Report);
        }

        return isRight ? 0 : 1;
    }
}
