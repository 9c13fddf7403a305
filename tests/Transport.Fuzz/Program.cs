using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;
using Transport.Fuzz.Running;
using Transport.Fuzz.Targets;

namespace Transport.Fuzz;

/// <summary>Gives what takes bytes from a peer inputs that nobody would send by mistake (docs/reference/security.md).</summary>
internal static class Program
{
    private static Task<int> Main(string[] args)
    {
#if NET
        switch (args.FirstOrDefault())
        {
            case "hostile-main":
                return Hostile.Victim.RunAsync();
            case "hostile-worker":
                return Hostile.RealWorker.RunAsync();
            case "large":
                return Task.FromResult(Crafted.LargeRun.Run(
                    args.ElementAtOrDefault(1) ?? string.Empty, args.ElementAtOrDefault(2) ?? string.Empty));
            case Crafted.CraftedRun.Worker:
                return Task.FromResult(Crafted.CraftedRun.RunWorker(args));
        }

#endif
        bool hostile = args.FirstOrDefault() == "hostile", crafted = args.FirstOrDefault() == "crafted";
        FuzzOptions options;
        try
        {
            options = FuzzOptions.Parse(args.AsSpan(hostile || crafted ? 1 : 0));
        }
        catch (Exception e) when (e is FormatException or OverflowException)
        {
            Console.Error.WriteLine(e.Message);
            Console.Error.WriteLine(FuzzOptions.Usage);
            return Task.FromResult(2);
        }

#if NET
        if (hostile)
        {
            return new Hostile.HostileRun(options).RunAsync();
        }

        if (crafted)
        {
            return new Crafted.CraftedRun(options).RunAsync();
        }

        HarnessPacketry.FindMSBuild();
#endif
        return Task.FromResult(Run(options));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Run(FuzzOptions options)
    {
        string? wanted = options.Target ?? (options.Replay is null ? null : CrashFiles.TargetOf(options.Replay));
        List<FuzzTarget> targets =
            [.. TargetList.All().Where(target => wanted is null || target.Name.StartsWith(wanted, StringComparison.Ordinal))];
        if (options.List)
        {
            targets.ForEach(target => Console.WriteLine(target.Name));
            return 0;
        }

        if (targets.Count == 0)
        {
            Console.Error.WriteLine($"No target is named {wanted}; --list names them.");
            return 2;
        }

        return options.Replay is { } file ? Replay(targets[0], file) : new FuzzRun(options, targets).Run();
    }

    private static int Replay(FuzzTarget target, string file)
    {
        try
        {
            ulong print = target.Run(File.ReadAllBytes(file));
            Console.WriteLine($"{target.Name}: nothing failed ({print:x})");
            return 0;
        }
        catch (Exception failure)
        {
            Console.WriteLine($"{target.Name}: {failure}");
            return 1;
        }
    }
}
