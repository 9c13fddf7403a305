using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.TestHost.Workers;

/// <summary>The helper as a main node, so that a test can kill one.</summary>
internal static class MainModes
{
    public static readonly Dictionary<string, Func<string[], Task<int>>> All = new(StringComparer.Ordinal)
    {
        ["main"] = args => RunAsync(args, stay: true),
        ["read-input"] = _ => ReadInputAsync(),
        ["main-crowded"] = CrowdedAsync,
        ["main-report"] = ReportAsync,
        ["main-at"] = AtAsync,
        ["main-once"] = args => RunAsync(args, stay: false),
    };

    private static async Task<int> ReadInputAsync()
    {
        var start = new WorkerStartOptions("cat") { InheritStandardInput = true };
        ChildProcess child = ChildProcess.Start(start.With(output: line => Console.WriteLine("read " + line.Text)));
        return (await child.WaitForExitAsync().ConfigureAwait(false)).ShellExitCode;
    }

    /// <summary>main-crowded LEFT PROGRAM ARGS…: starts the worker, then opens files until so many descriptors are left; says the worker's
    /// end.</summary>
    private static async Task<int> CrowdedAsync(string[] args)
    {
        await using MainNode main = MainNode.Start(new MainNodeOptions { ConnectTimeout = TimeSpan.FromSeconds(90) });
        WorkerProcess first = main.StartWorker(new WorkerStartOptions(args[2], [.. args.Skip(3)]));
        Console.Out.WriteLine((await first.WaitForExitAsync().ConfigureAwait(false)).Cause);   // all code is there now, with files enough
        string go = Path.GetTempFileName();
        try
        {
            WorkerProcess worker = main.StartWorker(new WorkerStartOptions(
                "/bin/sh", ["-c", "while [ -e " + go + " ]; do sleep 0.05; done; exec \"$@\"", "sh", args[2], .. args.Skip(3)]));
            var taken = new List<FileStream>();
            int most = int.Parse(args[1]);
            for (bool full = false; !full;)
            {
                taken.Add(new FileStream("/dev/null", FileMode.Open, FileAccess.Read, FileShare.ReadWrite));
                full = taken[taken.Count - 1].SafeFileHandle.DangerousGetHandle().ToInt64() >= most;
            }

            File.Delete(go);
            WorkerExit end = await worker.WaitForExitAsync().ConfigureAwait(false);
            taken.ForEach(file => file.Dispose());
            Console.Out.WriteLine(end.Report);
        }
        finally
        {
            File.Delete(go);
        }

        Console.Out.Flush();
        return 0;
    }

    /// <summary>main-report PROGRAM ARGS…: starts the worker, says how many of its numbers came and how it ended, or why it has no
    /// link.</summary>
    private static async Task<int> ReportAsync(string[] args)
    {
        try
        {
            int received = 0;
            PacketRouter router = new PacketRouter().On(NumberPacket.Type, (_, _) => Interlocked.Increment(ref received));
            await using MainNode main = MainNode.Start();
            WorkerProcess worker = main.StartWorker(new WorkerStartOptions(args[1], [.. args.Skip(2)]).With(router));
            WorkerExit exit = await worker.WaitForExitAsync().ConfigureAwait(false);
            Console.Out.WriteLine($"{received} {exit.Cause}");
            Console.Out.WriteLine(exit.Report);
            return 0;
        }
        catch (TransportException e)
        {
            Console.Out.WriteLine(e.Message);
            return 3;
        }
    }

    /// <summary>main-at ENDPOINT: listens there, or says why not.</summary>
    private static async Task<int> AtAsync(string[] args)
    {
        try
        {
            await using MainNode main = MainNode.Start(new MainNodeOptions { Endpoint = WireEndpoint.Parse(args[1]) });
            Console.Out.WriteLine(main.Endpoint);
        }
        catch (TransportException e)
        {
            Console.Out.WriteLine($"{e.Fault} {e.Code}: {e.Message}");
        }

        return 0;
    }

    /// <summary>main WIRE PROGRAM ARGS…: starts the worker, hands on what it writes, sends it one number.</summary>
    private static async Task<int> RunAsync(string[] args, bool stay)
    {
        await using MainNode main = MainNode.Start(new MainNodeOptions
        {
            Wire = WireKinds.Of(args[1]), ConnectTimeout = TimeSpan.FromSeconds(90),
        });
        var start = new WorkerStartOptions(args[2], [.. args.Skip(3)]);
        WorkerProcess worker = main.StartWorker(start.With(output: line =>
        {
            Console.Out.WriteLine(line.Text);
            Console.Out.Flush();
        }));
        Link link = await worker.WaitForLinkAsync().ConfigureAwait(false);
        _ = await link.SendAsync(NumberPacket.Type, 21).ConfigureAwait(false);
        if (stay)
        {
            await worker.WaitForExitAsync().ConfigureAwait(false);
        }

        return 0;
    }
}
