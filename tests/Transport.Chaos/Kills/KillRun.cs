using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Chaos.Packets;
using Transport.Chaos.Soaking;

namespace Transport.Chaos.Kills;

/// <summary>One main node, and workers that are killed one after the other, several at a time; each exit is held against what wire and
/// tail promise.</summary>
internal sealed class KillRun(KillOptions options)
{
    /// <summary>For each that dies at a time: a start on a busy machine, a life, an end, and what hangs must be reported by its own wait
    /// first.</summary>
    private static readonly TimeSpan MostEach = TimeSpan.FromSeconds(10), MostInAll = TimeSpan.FromSeconds(90);

    private readonly Lock _gate = new();
    private readonly List<Exit> _exits = [];
    private readonly List<string> _hangs = [];
    private int _begun;

    /// <returns>The exit code: 0 if every promise held.</returns>
    public async Task<int> RunAsync()
    {
        Console.WriteLine(FormattableString.Invariant(
            $"kills: {options.Kills}, {options.Workers} at a time, {options.Wire}, seed {options.Seed}"));
        DirectoryInfo folder = Directory.CreateTempSubdirectory("transport-kills-");

        // Tails beside the books: a file has a second name on its own file system only.
        Environment.SetEnvironmentVariable("TRANSPORT_DIR", folder.FullName);
        var table = new KillTable(options);
        using var watchdog = new Watchdog(MostInAll + (MostEach * (options.Kills / (double)options.Workers)), hang =>
        {
            Hang(hang);
            table.Write(_exits, _hangs);
            WorkerHost.Exit(1);
        });
        try
        {
            await RunAsync(watchdog, folder.FullName);
        }
        catch (TimeoutException hang)
        {
            Hang(hang.Message);
        }
        finally
        {
            folder.Delete(recursive: true);
        }

        return table.Write(_exits, _hangs);
    }

    private async Task RunAsync(Watchdog watchdog, string folder)
    {
        var link = new LinkOptions
        {
            MaxQueuedBytes = 1 << 20, Heartbeat = { PingInterval = Soak.PingInterval, SilenceTimeout = Soak.SilenceTimeout },
                CloseTimeout = Soak.CloseTimeout,
        };
        WireKind wire = options.Wire switch
        {
            "pipe" => WireKind.NamedPipe,
            "inherited" => WireKind.Inherited,
            _ => WireKind.UnixSocket,
        };
        MainNode main = MainNode.Start(new MainNodeOptions { Wire = wire, Link = link });
        try
        {
            var payloads = new Payloads(options.Seed);
            await Task.WhenAll(Enumerable.Range(0, options.Workers)
                .Select(_ => Task.Run(() => KillAsync(main, watchdog, payloads, folder))));
        }
        finally
        {
            await watchdog.Within(main.DisposeAsync().AsTask()
                .ContinueWith(static ended => ended.IsCompletedSuccessfully, TaskScheduler.Default), "the main node's end");
        }
    }

    private async Task KillAsync(MainNode main, Watchdog watchdog, Payloads payloads, string folder)
    {
        int number;
        while ((number = Interlocked.Increment(ref _begun)) <= options.Kills)
        {
            try
            {
                Exit exit = await new Victim(watchdog, payloads, folder, number, unchecked((options.Seed * 397) + number)).RunAsync(main);
                lock (_gate)
                {
                    _exits.Add(exit);
                }
            }
            catch (Exception e) when (e is TimeoutException or TransportException or IOException)
            {
                Hang($"worker {number}: {e.Message}");
            }
        }
    }

    private void Hang(string what)
    {
        lock (_gate)
        {
            _hangs.Add(what);
        }
    }
}
