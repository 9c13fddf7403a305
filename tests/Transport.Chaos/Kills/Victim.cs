using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Transport.Chaos.Ledgers;
using Transport.Chaos.Packets;
using Transport.Chaos.Soaking;
using Transport.Chaos.Workers;

namespace Transport.Chaos.Kills;

/// <summary>One process that streams until it is killed at a random moment, and what came of it.</summary>
internal sealed class Victim
{
    /// <summary>With this budget all that is queued fits the smallest ring of a tail of 1 MiB, records' heads and all, as
    /// docs/guide/tail.md counts it.</summary>
    private const long Small = 64 << 10;

    private readonly Watchdog _watchdog;
    private readonly Payloads _payloads;
    private readonly Random _dice;
    private readonly WorkerPlan _plan;
    private readonly ReceivedBook _book;
    private readonly Killing _by;
    private readonly int _slowMs;
    private readonly SlowReader _reader;

    public Victim(Watchdog watchdog, Payloads payloads, string folder, int number, int seed)
    {
        _watchdog = watchdog;
        _payloads = payloads;
        _dice = new Random(seed);
        _by = _dice.Next(20) switch { < 12 => Killing.Kill, 12 => Killing.KillEarly, < 16 => Killing.Terminate, _ => Killing.Fault };
        int lifeMs = _dice.Next(10) == 0 ? _dice.Next(60) : _dice.Next(1_500);
        long budget = _dice.Next(4) switch { < 2 => Small, 2 => 1 << 20, _ => 8 << 20 };

        // Read slowly before they die, half of them: what is queued then is more than what one write takes.
        _slowMs = _dice.Next(2) == 0 ? _dice.Next(100, 800) : 0;
        int largest = budget == Small ? 20_000 : Payloads.Largest;
        _plan = new WorkerPlan(Path.Combine(folder, FormattableString.Invariant($"k{number}")), 0, number, _dice.Next(),
            _by == Killing.Fault ? ChosenEnd.Fault : ChosenEnd.None, lifeMs, budget, largest);
        _book = new ReceivedBook(0, number);
        _reader = new SlowReader(_book);
    }

    private string Name => FormattableString.Invariant($"worker {_plan.Incarnation} ({_by})");

    /// <summary>Lets it live and die.</summary>
    /// <exception cref="TimeoutException">Something hangs.</exception>
    public async Task<Exit> RunAsync(MainNode main)
    {
        LedgerFile.Create(_plan.Ledger);
        WorkerStartOptions start = OwnProgram.Start(_plan.ToArguments());
        start.Node = FormattableString.Invariant($"k{_plan.Incarnation}");
        start.Router.OnRaw(Parcel.Type.Id, _reader.TakeAsync);
        WorkerProcess worker = main.StartWorker(start);
        using FileStream? tail = main.Endpoint.Kind == WireKind.Inherited ? TailCopy.Hold(worker.ProcessId) : null;
        try
        {
            var pump = new Pump(_plan, _payloads, _dice.Next());
            Task pumping = Task.CompletedTask;
            if (_by == Killing.KillEarly)
            {
                await Task.Delay(_dice.Next(350));
            }
            else
            {
                Link link = await _watchdog.Within(worker.WaitForLinkAsync(), $"the link of {Name}");
                pumping = pump.RunAsync(link);
                await LiveAsync(worker);
            }

            long killed = Stopwatch.GetTimestamp();
            Kill(worker);
            WorkerExit end = await _watchdog.Within(worker.WaitForExitAsync(), $"the end of {Name}, pid {worker.ProcessId}");
            double ms = Stopwatch.GetElapsedTime(killed).TotalMilliseconds;
            await _watchdog.Within(pumping.ContinueWith(_ => true, TaskScheduler.Default), $"the main node's sends to {Name}");
            await pumping;
            return Judge(end, ms, tail);
        }
        finally
        {
            worker.Kill();
        }
    }

    private async Task LiveAsync(WorkerProcess worker)
    {
        int before = Math.Max(0, _plan.LifeMs - _slowMs);
        await Task.WhenAny(worker.WaitForExitAsync(), Task.Delay(before));
        _reader.SlowDown(TimeSpan.FromMilliseconds(_slowMs));
        await Task.WhenAny(worker.WaitForExitAsync(), Task.Delay(_plan.LifeMs - before));
    }

    private void Kill(WorkerProcess worker)
    {
        switch (_by)
        {
            case Killing.Kill or Killing.KillEarly:
                worker.Kill();
                break;
            case Killing.Terminate:
                Native.Signal(worker.ProcessId, Native.Terminate);
                break;
        }
    }

    private Exit Judge(WorkerExit end, double ms, FileStream? tail)
    {
        LedgerPage page = LedgerFile.Read(_plan.Ledger);
        var copy = TailCopy.Read(_plan.Ledger, tail);
        File.Delete(_plan.Ledger);
        bool small = _plan.MaxQueuedBytes == Small;
        List<string> broken = [.. _book.Wrong, .. TailPromise.Broken(page, _book, copy, end, small), .. AtTheEnd(page, end)];
        return new Exit
        {
            Number = _plan.Incarnation,
            By = _by,
            Small = small,
            Connected = end.Connected,
            Queued = page.QueuedInAll,
            Unanswered = TailPromise.Lanes.Sum(page.TriedIn) - page.QueuedInAll,
            Came = _book.Packets,
            FromTail = end.Link?.Receipt.Tail?.Packets ?? 0,
            Lost = end.Link?.Receipt.Tail?.Lost ?? 0,
            Ms = ms,
            Broken = [.. broken.Select(promise => $"{Name}, ended {end.Cause}: {promise}")],
        };
    }

    private IEnumerable<string> AtTheEnd(LedgerPage page, WorkerExit end)
    {
        int signal = _by switch { Killing.Terminate => Native.Terminate, Killing.Fault => Native.Segmentation, _ => Native.Kill };
        if (end.Process.Signal != signal)
        {
            yield return $"it died of signal {signal}";
        }

        long written = Promise.Written.AtLeast(page);
        if (_book.Packets < written)
        {
            yield return $"{written} were written, came {_book.Packets}";
        }

        if (end.Link is { Receipt: var receipt } && receipt.Received != _book.Packets)
        {
            yield return $"the receipt says {receipt.Received} received, the handler had {_book.Packets}";
        }
    }
}
