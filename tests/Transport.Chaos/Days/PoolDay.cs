using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Chaos.Soaking;

namespace Transport.Chaos.Days;

/// <summary>A pool whose workers are asked, killed, stopped, recycled and die, and which is stopped in the middle of it or at rest.</summary>
internal sealed class PoolDay(int seed, string folder) : IDay
{
    private readonly Random _random = new(seed);
    private readonly Facts _facts = new(folder, "main");
    private readonly ConcurrentDictionary<int, bool> _processes = new();
    private int _ids;

    public async Task RunAsync()
    {
        using Facts facts = _facts;
        int stopMs = _random.Next(3) == 0 ? _random.Next(50, 500) : 2000;
        WorkerPoolOptions options = Options();
        facts.Note($"options {options.Size} {options.MaxRequestsPerWorker} {options.RecycleAfterRequests} {options.MaxRestarts} {options.Restart} {stopMs}");
        await using var main = MainNode.Start(new MainNodeOptions
        {
            StopTimeout = TimeSpan.FromMilliseconds(stopMs), BrokenLinkGrace = TimeSpan.FromSeconds(1),
        });
        WorkerStartOptions start = OwnProgram.Start(["dayworker", folder, seed.ToString(CultureInfo.InvariantCulture)]);
        start.Output = _ => { };
        start.Router.OnRaw(Senders.Type, packet =>
        {
            (int producer, int number) = Senders.Read(packet.Body);
            facts.Note($"{(number == 0 ? "handledlate" : "handled")} {producer} {number}");
        });
        WorkerPool pool = main.StartPool(start, options);
        using var stop = new CancellationTokenSource();
        Task disturbing = DisturbAsync(pool, stop.Token);
        int asks = _random.Next(5, 60), pause = _random.Next(25);
        var asked = new Task[asks];
        for (int i = 0; i < asks; i++)
        {
            (Ask ask, int timeout, int cancel) = Next(stopMs);
            asked[i] = AskAsync(pool, ask, timeout, cancel);
            await Task.Delay(_random.Next(pause + 1), CancellationToken.None);
        }

        if (_random.Next(2) == 0)
        {
            await Task.WhenAll(asked);
        }

        await stop.CancelAsync();
        await disturbing;
        Look(pool);
        facts.Note($"poolstop");

        // StopTimeout for all at once, and as much again until who had to be killed is gone and its link has been read.
        facts.Note($"begin poolstop {stopMs + 4000}");
        await pool.StopAsync("the day is over");
        facts.Note($"end poolstop");
        await Task.WhenAll(asked);
        facts.Note($"completed {pool.Completion.IsCompleted}");
        WorkerPoolStatus status = pool.Status;
        facts.Note($"status {status.Running} {status.Connected} {status.Waiting} {status.Restarts} {status.HasGivenUp}");
        foreach (int process in _processes.Keys.Where(process => Directory.Exists(FormattableString.Invariant($"/proc/{process}"))))
        {
            facts.Note($"alive {process}");
        }
    }

    private WorkerPoolOptions Options() => new()
    {
        Size = _random.Next(12) == 0 ? 8 : _random.Next(1, 4),
        MaxRequestsPerWorker = _random.Next(4) switch { 0 => 1, 1 => 2, 2 => 3, _ => 1024 },
        RecycleAfterRequests = _random.Next(2) == 0 ? 0 : _random.Next(1, 7),
        TakesTurns = _random.Next(2) == 0,
        MinBackoff = TimeSpan.FromMilliseconds(_random.Next(20)),
        MaxBackoff = TimeSpan.FromMilliseconds(100),
        MaxRestarts = _random.Next(6) == 0 ? _random.Next(3) : 100,
        Restart = _random.Next(5) switch { 0 => WorkerRestart.Never, 1 => WorkerRestart.OnFailure, _ => WorkerRestart.Always },
        OnConnected = _random.Next(3) == 0 ? (_, token) => Task.Delay(10, token) : null,
        OnExited = exit =>
        {
            LinkReceipt? receipt = exit.Link?.Receipt;
            _processes.TryAdd(exit.ProcessId, true);
            _facts.Note($"exited {exit.ProcessId} {exit.IsClean} {exit.AllPacketsHandled} {exit.PacketsLost ?? -1} {receipt?.Sent - receipt?.Acknowledged + receipt?.Dropped ?? 0} {exit.Cause}");
        },
        OnGaveUp = status => _facts.Note($"gaveup {status.Restarts}"),
    };

    private (Ask Ask, int Timeout, int Cancel) Next(int stopMs)
    {
        AskKind kind = _random.Next(20) switch { 0 => AskKind.Die, 1 or 2 => AskKind.Throw, 3 => AskKind.Hang, _ => AskKind.Answer };
        int ms = _random.Next(4) == 0 ? _random.Next(300) : _random.Next(20);
        int timeout = kind == AskKind.Hang || _random.Next(4) == 0 ? _random.Next(1, 800) : -1;
        int cancel = _random.Next(10) == 0 ? _random.Next(300) : -1;
        return (new Ask(++_ids, Math.Min(ms, stopMs / 3), kind), timeout, cancel);
    }

    private async Task AskAsync(WorkerPool pool, Ask ask, int timeout, int cancel)
    {
        using var end = new CancellationTokenSource();
        if (cancel >= 0)
        {
            end.CancelAfter(cancel);
        }

        string name = FormattableString.Invariant($"ask-{ask.Id}");
        _facts.Note($"ask {ask.Id} {ask.Kind} {ask.Ms} {timeout} {cancel}");
        _facts.Note($"begin {name} {(timeout < 0 ? 40_000 : timeout + 2000)}");
        long begun = Stopwatch.GetTimestamp();
        try
        {
            Told told = await pool.RequestAsync(ask, timeout < 0 ? null : TimeSpan.FromMilliseconds(timeout), cancellationToken: end.Token);
            _facts.Note($"answered {ask.Id} {told.Id} {told.Process}");
        }
        catch (TransportException e)
        {
            _facts.Note($"failed {ask.Id} {e.Fault} {Stopwatch.GetElapsedTime(begun).TotalMilliseconds:0} {e.Message}");
        }
        catch (OperationCanceledException)
        {
            _facts.Note($"failed {ask.Id} Cancelled {Stopwatch.GetElapsedTime(begun).TotalMilliseconds:0}");
        }

        _facts.Note($"end {name}");
    }

    private async Task DisturbAsync(WorkerPool pool, CancellationToken stop)
    {
        var random = new Random(_random.Next());
        Task others = Task.CompletedTask;
        for (int number = 1; !stop.IsCancellationRequested; number++)
        {
            WorkerProcess[] workers = Look(pool);
            WorkerProcess? one = workers.Length == 0 ? null : workers[random.Next(workers.Length)];
            switch (random.Next(12))
            {
                case 0 when one is not null:
                    _facts.Note($"kill {one.ProcessId}");
                    Native.Signal(one.ProcessId, Native.Kill);
                    break;
                case 1 when one is not null:
                    others = Task.WhenAll(others, StopAsync(one, number));
                    break;
                case 2:
                    others = Task.WhenAll(others, WaitAsync(pool, number, random.Next(1, pool.Status.Size + 1)));
                    break;
                case 3:
                    _facts.Note($"broadcast {number} {await pool.BroadcastAsync(new News(-number), cancellationToken: stop)}");
                    break;
                case < 7:
                    others = Task.WhenAll(others, SendAsync(pool, number, stop));
                    break;
                default:
                    break;
            }

            await Task.Delay(random.Next(60), CancellationToken.None);
        }

        await others;
    }

    /// <summary>Remembers who runs.</summary>
    private WorkerProcess[] Look(WorkerPool pool)
    {
        WorkerProcess[] workers = [.. pool.Workers];
        foreach (WorkerProcess worker in workers)
        {
            _processes.TryAdd(worker.ProcessId, true);
        }

        return workers;
    }

    private async Task StopAsync(WorkerProcess worker, int number)
    {
        string name = FormattableString.Invariant($"stop-{worker.ProcessId}-{number}");
        _facts.Note($"stop {worker.ProcessId}");
        _facts.Note($"begin {name} 8000");
        await worker.StopAsync("recycled by hand");
        _facts.Note($"end {name}");
    }

    private async Task WaitAsync(WorkerPool pool, int number, int count)
    {
        // A pool that may replace its workers has them some time, on a busy machine after many a start; one that may not says so at once.
        string name = FormattableString.Invariant($"wait-{number}");
        _facts.Note($"begin {name} 31000");
        using var end = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        try
        {
            await pool.WaitForWorkersAsync(count, end.Token);
            _facts.Note($"waited {number} {count} ok");
        }
        catch (Exception e) when (e is TransportException or OperationCanceledException)
        {
            _facts.Note($"waited {number} {count} {e.GetType().Name} {e.Message}");
        }

        _facts.Note($"end {name}");
    }

    private async Task SendAsync(WorkerPool pool, int number, CancellationToken stop)
    {
        try
        {
            _facts.Note($"sent {number} {await pool.SendAsync(new News(number), cancellationToken: stop)}");
        }
        catch (OperationCanceledException)
        {
            _facts.Note($"sent {number} Cancelled");
        }
    }
}
