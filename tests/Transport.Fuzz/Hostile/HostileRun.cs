using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading.Tasks;
using Transport.Fuzz.Running;

namespace Transport.Fuzz.Hostile;

/// <summary>
/// Hostile connections against a main node to which a real worker streams: strangers, 200 at once, then workers with a good secret, 16 at
/// once. The real worker's ledger is exact, and the main node holds afterwards what it held before.
/// </summary>
internal sealed class HostileRun(FuzzOptions options)
{
    /// <summary>Connections before the measure begins: code is compiled, the runtime's pollers are there.</summary>
    private const int WarmUp = 2000;

    private const int Strangers = 200;
    private const int Workers = 16;
    private const long StrangersMost = 32L << 20;

    /// <summary>Besides, a listener's pool keeps up to twice what may be queued (8 MiB by default) and 4 MiB; and a link that is made to
    /// may hold its window and a packet.</summary>
    private const long WorkersMost = StrangersMost + (20L << 20) + (Workers * ((256L << 10) + Victim.MaxPacket));

    private readonly List<string> _failures = [];

    /// <summary>Gets how this program is started again, by .NET's own class.</summary>
    public static ProcessStartInfo Again(params string[] arguments)
    {
        var start = WorkerStartOptions.ForThisProgram(arguments);
        return new ProcessStartInfo(start.FileName, start.Arguments) { UseShellExecute = false, RedirectStandardOutput = true };
    }

    public async Task<int> RunAsync()
    {
        Console.WriteLine($"seed {options.Seed}");
        using VictimProcess victim = VictimProcess.Start();
        await victim.StreamAsync(20_000).ConfigureAwait(false);
        Console.WriteLine($"main node, fresh: {victim.Footprint}");
        var strangers = new Phase(victim, [.. Attack.All.Where(a => !a.HasTicket)], Strangers, options.Seed);
        await strangers.RunAsync(WarmUp, options.Connections).ConfigureAwait(false);
        Report("strangers", options.Connections, strangers, StrangersMost);
        var workers = new Phase(victim, [.. Attack.All.Where(a => a.HasTicket)], Workers, options.Seed);
        await workers.RunAsync(WarmUp / 20, options.Connections / 20).ConfigureAwait(false);
        Report("hostile workers", options.Connections / 20, workers, WorkersMost);
        await CheckLedgerAsync(victim).ConfigureAwait(false);
        Console.WriteLine(_failures.Count == 0 ? "hostile: nothing failed" : "hostile FAILED: " + string.Join("; ", _failures));
        return _failures.Count == 0 ? 0 : 1;
    }

    private static string Sum(Dictionary<string, int> ends) =>
        string.Join(", ", ends.OrderByDescending(e => e.Value).Select(e => $"{e.Key} {e.Value:N0}"));

    private async Task CheckLedgerAsync(VictimProcess victim)
    {
        victim.Report("stop");
        string ledger = await Task.Run(() => victim.Await("ledger ")).ConfigureAwait(false);
        Console.WriteLine(ledger);
        Console.WriteLine(await Task.Run(() => victim.Await("refused ")).ConfigureAwait(false));
        Console.WriteLine(await Task.Run(() => victim.Await("links ")).ConfigureAwait(false));
        string[] words = ledger.Split(' ');
        Check(words[4] == "0" && words[2] == words[6] && words[8] == "clean", $"the real worker's ledger is not exact: {ledger}");
    }

    private void Report(string who, int connections, Phase phase, long mostGrowth)
    {
        Console.WriteLine();
        Console.WriteLine($"{who,-32} {"connections",11}  how they ended");
        foreach ((string name, Dictionary<string, int> ends) in phase.Ends)
        {
            Console.WriteLine($"  {name,-30} {ends.Values.Sum(),11:N0}  {Sum(ends)}");
            Check(!ends.ContainsKey("held"), $"{name}: the main node did not let go");
            Check(!ends.ContainsKey("not welcomed"), $"{name}: a good secret was not welcomed");
        }

        long growth = phase.Most.PrivateBytes - phase.Before.PrivateBytes;
        Console.WriteLine($"  main node before   {phase.Before}");
        Console.WriteLine($"  most on the way    {phase.Most}");
        Console.WriteLine($"  after              {phase.After}");
        Console.WriteLine($"  {connections:N0} connections in {phase.Seconds:N1} s, {connections / phase.Seconds:N0} a second; the main "
            + $"node grew by {growth / 1048576.0:N1} MiB at most (allowed {mostGrowth >> 20}); the real worker streamed "
            + $"{phase.Streamed:N0} packets meanwhile");
        Check(growth < mostGrowth, $"{who}: the main node grew by {growth >> 20} MiB, allowed are {mostGrowth >> 20}");
        Check(phase.After.IsWithin(phase.Before), $"{who}: {phase.After.Descriptors - phase.Before.Descriptors} descriptors and "
            + $"{phase.After.Threads - phase.Before.Threads} threads more than before");
        Check(phase.Streamed > 0, $"{who}: the real worker stood still");
    }

    private void Check(bool holds, string failure)
    {
        if (!holds)
        {
            _failures.Add(failure);
        }
    }
}
