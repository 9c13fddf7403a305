using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading.Tasks;
using NATS.Client.Core;
using Transport.Loads.Farm;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Scratch;
using Transport.Loads.Workers;
using Transport.Nats;

namespace Transport.Loads.Scenarios;

/// <summary>A small request to the worker of another machine, one at a time: by a remote pool whose agent has a pool of one worker, beside
/// NATS.Net alone (nobody behind the consumer) and the local pool.</summary>
internal sealed class AskScenario : IScenario
{
    /// <summary>The word after which this program is a worker of the pool.</summary>
    public const string Word = "ask-worker";

    private const string Bare = "bare", Handler = "handler", Local = "local pool";

    public string Name => "ask";

    public string Summary => "a request over a work queue of NATS JetStream, beside NATS.Net alone and a local pool";

    public IEnumerable<Row> Run(RunOptions options)
    {
        if (FarmServer.Missing is { } why)
        {
            return [Row.Missing(options, Name, "a request, p50", "us", why, Bare, Target.AtMost(1.5))];
        }

        return RunAsync(options).GetAwaiter().GetResult();
    }

    private async Task<IReadOnlyList<Row>> RunAsync(RunOptions options)
    {
        using var folder = new ScratchFolder("ask");
        using var server = new FarmServer(folder.Location);
        await using var main = MainNode.Start();
        await using WorkerPool local = main.StartPool(WorkerStartOptions.ForThisProgram(Word), new WorkerPoolOptions { Size = 1 });
        await using NatsConnection asks = server.Connect(), answers = server.Connect();
        await using RemotePool remote = RemotePool.Start(asks, OptionsOf("worker"));
        await using RemotePool inProcess = RemotePool.Start(asks, OptionsOf("handler"));
        await using var agent = WorkAgent.Start(answers, local, AgentOf("worker"));
        await using var handlers = WorkAgent.Start(answers, Locator.Router(), AgentOf("handler"));
        await using BareWork bare = await BareWork.StartAsync(server).ConfigureAwait(false);
        var columns = new Dictionary<string, Func<Task>>(StringComparer.Ordinal)
        {
            [Column.Transport] = () => remote.RequestAsync(new Locate("a.dll", 17)),
            [Handler] = () => inProcess.RequestAsync(new Locate("a.dll", 17)),
            [Bare] = bare.AskAsync,
            [Local] = () => local.RequestAsync(new Locate("a.dll", 17)),
        };
        List<Dictionary<string, Sample>> rounds = [];
        for (int i = options.Quick ? -1 : -3; i < options.Rounds; i++)
        {
            var round = new Dictionary<string, Sample>(StringComparer.Ordinal);
            foreach (string column in Turns.Rotated(columns.Keys, Math.Max(0, i)))
            {
                round[column] = await MeasureAsync(options.Quick ? 50 : 1_000, columns[column]).ConfigureAwait(false);
            }

            if (i >= 0)
            {
                rounds.Add(round);
            }
        }

        return
        [
            Row.Make(options, Name, "a request, p50", "us", Row.Pick(rounds, s => s.P50), Bare, Target.AtMost(1.5)),
            Row.Make(options, Name, "the same, beside the local pool", "us", Row.Pick(rounds, s => s.P50), Local),
            Row.Make(options, Name, "answered by the agent itself, p50", "us", HandlerOf(rounds), Bare),
            Row.Make(options, Name, "a request, p99", "us", Row.Pick(rounds, s => s.P99), Bare),
            Row.Make(options, Name, "CPU of a request, without server and worker", "us", Row.Pick(rounds, s => s.Cpu), Bare),
        ];
    }

    private static List<IReadOnlyDictionary<string, double>> HandlerOf(List<Dictionary<string, Sample>> rounds) =>
        rounds.ConvertAll<IReadOnlyDictionary<string, double>>(round => new Dictionary<string, double>(StringComparer.Ordinal)
        {
            [Column.Transport] = round[Handler].P50, [Bare] = round[Bare].P50,
        });

    private static RemotePoolOptions OptionsOf(string pool) => new() { Pool = pool, Stream = { Create = true } };

    private static AgentOptions AgentOf(string pool) => new() { Pool = pool, Stream = { Create = true }, Slots = 1 };

    private static async Task<Sample> MeasureAsync(int count, Func<Task> ask)
    {
        double[] took = new double[count];
        TimeSpan cpu = Environment.CpuUsage.TotalTime;
        for (int i = 0; i < count; i++)
        {
            long start = Stopwatch.GetTimestamp();
            await ask().ConfigureAwait(false);
            took[i] = Stopwatch.GetElapsedTime(start).TotalMicroseconds;
        }

        double used = (Environment.CpuUsage.TotalTime - cpu).TotalMicroseconds / count;
        Array.Sort(took);
        return new Sample(took[count / 2], took[count * 99 / 100], used);
    }

    private sealed record Sample(double P50, double P99, double Cpu);
}
