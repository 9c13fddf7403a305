using System;
using System.Threading.Tasks;
using Transport.Chaos.Days;
using Transport.Chaos.Kills;
using Transport.Chaos.Soaking;
using Transport.Chaos.Standstills;
using Transport.Chaos.Workers;

namespace Transport.Chaos;

/// <summary>The soak, the kills, the standstill, and, started by them, one of their workers. Exit code 0: every promise held; 1: one was
/// broken; 2: used wrongly.</summary>
internal static class Program
{
    private static async Task Main(string[] args)
    {
        int code = args switch
        {
            ["worker", ..] => await WorkerProgram.RunAsync(args),
            ["kills", ..] => await KillAsync(args),
            ["stander", ..] => await StandstillWorker.RunAsync(args),
            ["standstill", ..] => await StandAsync(args),
            ["days", ..] => await PlayAsync(args),
            ["dayworker", ..] => await DayWorker.RunAsync(args),
            ["dayhost", ..] => await DayHosts.RunMainAsync(args),
            ["dayhostworker", ..] => await DayHosts.RunWorkerAsync(args),
            _ => await SoakAsync(args),
        };
        WorkerHost.Exit(code);
    }

    private static async Task<int> SoakAsync(string[] args)
    {
        if (ChaosOptions.Parse(args) is not { } options)
        {
            Console.Error.WriteLine(ChaosOptions.Usage);
            Console.Error.WriteLine(KillOptions.Usage);
            Console.Error.WriteLine(StandstillOptions.Usage);
            Console.Error.WriteLine(DayOptions.Usage);
            return 2;
        }

        return await new Soak(options).RunAsync();
    }

    private static async Task<int> KillAsync(string[] args)
    {
        if (KillOptions.Parse(args) is not { } options)
        {
            Console.Error.WriteLine(KillOptions.Usage);
            return 2;
        }

        return await new KillRun(options).RunAsync();
    }

    private static async Task<int> StandAsync(string[] args)
    {
        if (StandstillOptions.Parse(args) is not { } options)
        {
            Console.Error.WriteLine(StandstillOptions.Usage);
            return 2;
        }

        return await new StandstillRun(options).RunAsync();
    }

    private static async Task<int> PlayAsync(string[] args)
    {
        if (DayOptions.Parse(args) is not { } options)
        {
            Console.Error.WriteLine(DayOptions.Usage);
            return 2;
        }

        return await new DayRun(options).RunAsync();
    }
}
