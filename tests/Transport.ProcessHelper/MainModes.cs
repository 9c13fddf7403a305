using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Transport.Links;
using Transport.Nodes;

namespace Transport.ProcessHelper;

/// <summary>The helper as a main node, so that a test can kill one.</summary>
internal static class MainModes
{
    public static readonly Dictionary<string, Func<string[], Task<int>>> All = new(StringComparer.Ordinal)
    {
        ["main"] = args => RunAsync(args, stay: true),
        ["read-input"] = _ => ReadInputAsync(),
        ["main-once"] = args => RunAsync(args, stay: false),
    };

    private static async Task<int> ReadInputAsync()
    {
        var start = new ProcessStart("cat") { InheritStandardInput = true };
        ChildProcess child = ChildProcess.Start(start, line => Console.WriteLine("read " + line.Text));
        return (await child.Ended.ConfigureAwait(false)).ShellExitCode;
    }

    /// <summary>main WIRE PROGRAM ARGS…: starts the worker, hands on what it writes, sends it one number.</summary>
    private static async Task<int> RunAsync(string[] args, bool stay)
    {
        await using MainNode main = MainNode.Start(new MainNodeOptions { Wire = args[1] });
        var start = new ProcessStart(args[2], [.. args.Skip(3)]);
        WorkerProcess worker = main.StartWorker(start, output: line =>
        {
            Console.Out.WriteLine(line.Text);
            Console.Out.Flush();
        });
        Link link = await worker.Link.ConfigureAwait(false);
        await link.SendAsync(NumberPacket.Type, 21).ConfigureAwait(false);
        if (stay)
        {
            await worker.Ended.ConfigureAwait(false);
        }

        return 0;
    }
}
