using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Transport.TestHost.Journals;
using Transport.TestHost.Output;
using Transport.TestHost.Trees;
using Transport.TestHost.Workers;
using Transport.Testing;

namespace Transport.TestHost;

/// <summary>The program that tests start: its first argument says what it does.</summary>
internal static class Program
{
    private const int SigTerm = 15;

    private static readonly Dictionary<string, Func<string[], Task<int>>> Processes = new(StringComparer.Ordinal)
    {
#if NET
        ["link-allocations"] = Links.LinkAllocations.RunAsync,
        ["journal-allocations"] = JournalAllocations.RunAsync,
#endif
        ["journal"] = JournalMode.RunAsync,
        ["tree"] = TreeMode.RunAsync,
        ["write-solution"] = args => Task.FromResult(WriteSolution(args)),
        ["stdio"] = args => Task.FromResult(OutputMode.Run(args)),
        ["again"] = async args =>
        {
            ChildProcess child = ChildProcess.Start(WorkerStartOptions.ForThisProgram([.. args.Skip(1)]).With(output: _ => { }));
            ProcessExit exit = await child.WaitForExitAsync().ConfigureAwait(false);
            return exit.ExitCode!.Value;
        },
    };

    private static readonly Dictionary<string, Func<string[], int>> Modes = new(StringComparer.Ordinal)
    {
        ["exit"] = args => int.Parse(args[1]),
        ["print"] = args => Print(Console.OpenStandardOutput(), int.Parse(args[1])),
        ["flood"] = args => Print(Console.OpenStandardError(), int.Parse(args[1])),
        ["throw"] = _ => throw new InvalidOperationException("thrown for the test"),
        ["failfast"] = _ => FailFast(),
        ["abort"] = _ => Abort(),
        ["stay"] = _ => Stay("here"),
        ["ignore-term"] = _ => IgnoreTerm(),
    };

    [DllImport("libc")]
    public static extern void _exit(int code);

    [DllImport("libc")]
    public static extern int kill(int pid, int signal);

    [DllImport("libc")]
    public static extern int shutdown(int socket, int how);

    [DllImport("libc", CharSet = CharSet.Ansi)]
    public static extern int system(string command);

    private static async Task<int> Main(string[] args)
    {
        if (args.Length > 0 && Processes.TryGetValue(args[0], out Func<string[], Task<int>>? process))
        {
            return await process(args).ConfigureAwait(false);   // ends as any program does
        }

        WorkerHost.Exit(await RunAsync(args).ConfigureAwait(false));
        return 0;   // never reached
    }

    private static async Task<int> RunAsync(string[] args)
    {
        if (args.Length > 0 && (WorkerModes.All.TryGetValue(args[0], out Func<string[], Task<int>>? linked)
            || MainModes.All.TryGetValue(args[0], out linked) || LevelModes.All.TryGetValue(args[0], out linked)))
        {
            return await linked(args).ConfigureAwait(false);
        }

        if (args.Length > 0 && Modes.TryGetValue(args[0], out Func<string[], int>? mode))
        {
            return mode(args);
        }

        Console.Error.WriteLine("modes: " + string.Join(" ", [.. Processes.Keys, .. Modes.Keys]));
        return 2;
    }

    /// <summary>write-solution FOLDER [LIBRARIES=20] [LAYERS=5].</summary>
    private static int WriteSolution(string[] args)
    {
        int libraries = args.Length > 2 ? int.Parse(args[2]) : 20, layers = args.Length > 3 ? int.Parse(args[3]) : 5;
        Console.WriteLine(new SolutionWriter(libraries, layers).Write(args[1]));
        return 0;
    }

    private static int Print(Stream stream, int lines)
    {
        using var writer = new StreamWriter(stream) { NewLine = "\n" };
        for (int i = 1; i <= lines; i++)
        {
            writer.WriteLine($"line {i}");
        }

        return 0;
    }

    private static int FailFast()
    {
        Environment.FailFast("said for the test");
        return 0;
    }

    private static int Abort()
    {
        Native.abort();
        return 0;
    }

    private static int IgnoreTerm()
    {
        Native.signal(SigTerm, (IntPtr)1);
        return Stay("deaf");
    }

    private static int Stay(string word)
    {
        Console.Out.WriteLine(word);
        Console.Out.Flush();
        using var never = new ManualResetEvent(false);
        never.WaitOne();
        return 0;
    }

    private static class Native
    {
        [DllImport("libc")]
        public static extern void abort();

        [DllImport("libc")]
        public static extern IntPtr signal(int signal, IntPtr handler);
    }
}
