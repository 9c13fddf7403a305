using System;
using System.IO;
using System.Threading.Tasks;
using Transport.Chaos.Ledgers;
using Transport.Chaos.Packets;
using Transport.Chaos.Workers;

namespace Transport.Chaos.Soaking;

/// <summary>One process of one worker: started, disturbed, ended, judged.</summary>
internal sealed class Incarnation
{
    private readonly MainNode _main;
    private readonly Tally _tally;
    private readonly Watchdog _watchdog;
    private readonly Payloads _payloads;
    private readonly Random _dice;
    private readonly WorkerPlan _plan;
    private readonly ReceivedBook _book;
    private readonly Fate _fate;
    private readonly int _lifeMs;
    private readonly SlowReader _reader;

    public Incarnation(MainNode main, Tally tally, Watchdog watchdog, Payloads payloads, string folder, int worker, int number, int seed)
    {
        _main = main;
        _tally = tally;
        _watchdog = watchdog;
        _payloads = payloads;
        _dice = new Random(seed);
        _fate = _dice.Next(20) switch { < 7 => Fate.Kill, 7 => Fate.KillEarly, < 10 => Fate.Terminate, 10 => Fate.Leave, < 13 =>
            Fate.CutByWorker, < 15 => Fate.CutByMain, < 18 => Fate.CloseByWorker, _ => Fate.CloseByMain };
        _lifeMs = _dice.Next(100, 2_000);
        long budget = _dice.Next(3) switch { 0 => 256 << 10, 1 => 1 << 20, _ => 8 << 20 };
        _plan = new WorkerPlan(Path.Combine(folder, FormattableString.Invariant($"w{worker}.{number}")), worker, number, _dice.Next(),
            _fate.ByWorker(), _lifeMs, budget);
        _book = new ReceivedBook(worker, number);
        _reader = new SlowReader(_book);
    }

    private string Name => FormattableString.Invariant($"w{_plan.Worker}.{_plan.Incarnation}, {_fate}");

    /// <summary>Runs it to its end.</summary>
    /// <exception cref="TimeoutException">Something hangs.</exception>
    public async Task RunAsync()
    {
        LedgerFile.Create(_plan.Ledger);
        WorkerStartOptions start = OwnProgram.Start(_plan.ToArguments());
        (start.Node, start.Output) = (FormattableString.Invariant($"w{_plan.Worker}.{_plan.Incarnation}"), Hear);
        start.Router.OnRaw(Parcel.Type.Id, _reader.TakeAsync);
        WorkerProcess worker = _main.StartWorker(start);
        _tally.Event("processes started");
        _tally.Event("end: " + _fate);
        try
        {
            Link? link = null;
            var pump = new Pump(_plan, _payloads, _dice.Next());
            Task pumping = Task.CompletedTask;
            if (_fate == Fate.KillEarly)
            {
                await Task.Delay(_dice.Next(250));
            }
            else
            {
                link = await _watchdog.Within(worker.WaitForLinkAsync(), $"the link of {Name}");
                pumping = pump.RunAsync(link);
                await new Disturbances(link, worker, _book, _tally, _dice, _reader.SlowDown).RunAsync(_lifeMs);
            }

            End(worker, link);
            WorkerExit end = await _watchdog.Within(worker.WaitForExitAsync(), $"the end of {Name}, pid {worker.ProcessId}");
            await _watchdog.Within(pumping.ContinueWith(_ => true, TaskScheduler.Default), $"the main node's sends to {Name}");
            await pumping;
            new Judgement(_fate, LedgerFile.Read(_plan.Ledger), TailCopy.Read(_plan.Ledger), _book, end, pump.Queued, _tally, Name)
                .Pronounce();
        }
        finally
        {
            worker.Kill();
        }

        File.Delete(_plan.Ledger);
    }

    private void End(WorkerProcess worker, Link? link)
    {
        switch (_fate)
        {
            case Fate.Kill or Fate.KillEarly:
                worker.Kill();
                break;
            case Fate.Terminate when !worker.WaitForExitAsync().IsCompleted:
                Native.Signal(worker.ProcessId, Native.Terminate);
                break;
            case Fate.CutByMain:
                link!.Abort("cut for the soak");
                break;
            case Fate.CloseByMain:
                _ = link!.CloseAsync("enough");
                break;
        }
    }

    private void Hear(OutputLine line)
    {
        if (line.Text.StartsWith("BROKEN ", StringComparison.Ordinal))
        {
            _tally.Break($"{Name}, at the worker: {line.Text.Substring(7)}");
        }
    }
}
