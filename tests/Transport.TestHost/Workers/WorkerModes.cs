using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Transport.Testing.Links;

namespace Transport.TestHost.Workers;

/// <summary>The helper as a worker of a main node.</summary>
internal static class WorkerModes
{
    public static readonly Dictionary<string, Func<string[], Task<int>>> All = new(StringComparer.Ordinal)
    {
        ["worker-send"] = args => SendAsync(Number(args[1])),
        ["worker-names"] = _ => NamesAsync(),
        ["worker-stay"] = _ => StayAsync(),
        ["worker-run"] = _ => WorkerHost.RunAsync(link =>
        {
            Say("working");
            return link.TrySend(NumberPacket.Type, 1) == SendResult.Queued ? 0 : 4;
        }),
        ["worker-serve"] = _ => WorkerHost.RunAsync(new PacketRouter()
            .OnRequest(NumberPacket.Type, NumberPacket.Type, (number, _) => Task.FromResult(2 * number))),
        ["worker-twice"] = async args =>
        {
            _ = await WorkerHost.RunAsync(link => args.Length - 1).ConfigureAwait(false);
            return await WorkerHost.RunAsync(new PacketRouter()).ConfigureAwait(false);
        },
        ["worker-finish"] = args => FinishAsync(Number(args[1])),
        ["worker-leave"] = args => LeaveAsync(Number(args[1]), Number(args[2])),
        ["worker-kill"] = args => DieAsync(Number(args[1]), "kill:" + args[2]),
        ["worker-die"] = args => DieAsync(Number(args[1]), args[2]),
        ["worker-linger"] = async args =>
        {
            await (await WorkerHost.ConnectAsync().ConfigureAwait(false)).CloseAsync().ConfigureAwait(false);
            await Task.Delay(Number(args[1])).ConfigureAwait(false);
            return 0;
        },
        ["worker-busy"] = _ => BusyAsync(),
        ["worker-stubborn"] = _ => StubbornAsync(),
        ["worker-flood"] = args => FloodAsync(args[1]),
        ["worker-no-goodbye"] = _ => NoGoodbyeAsync(),
        ["worker-environment"] = _ => EnvironmentAsync(),
        ["worker-wrong-secret"] = _ => WrongSecretAsync(),
        ["worker-refused"] = _ => RefusedAsync(),
        ["worker-tail"] = TailMode.RunAsync,
        ["spill"] = SpillMode.RunAsync,
        ["worker-builder"] = BuilderMode.RunAsync,
        ["worker-rude"] = _ => RudeMode.RunAsync(),
        ["worker-drop"] = DropMode.RunAsync,
        ["worker-mix"] = MixMode.RunAsync,
        ["worker-ignore"] = args => IgnoreAsync(Number(args[1]), (LanePolicy)Enum.Parse(typeof(LanePolicy), args[2])),
        ["worker-echo"] = _ => EchoAsync(),
        ["worker-trace"] = _ => WorkerHost.RunAsync(_ =>
        {
            Say($"{WorkerHost.ParentContext.TraceId} {Activity.Current?.ParentId}");
            return 0;
        }),
        ["worker-answer"] = _ => AnswerMode.RunAsync(),
        ["worker-garbage"] = _ => GarbageAsync(),
        ["worker-half-hello"] = _ => HalfHelloAsync(),
        ["worker-no-watch"] = _ => NoWatchAsync(),
    };

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    private static async Task<int> SendAsync(int count)
    {
        await using Link link = await WorkerHost.ConnectAsync().ConfigureAwait(false);
        await SendNumbersAsync(link, count).ConfigureAwait(false);
        LinkEnd end = await link.CloseAsync().ConfigureAwait(false);
        Console.WriteLine($"{end} sent {end.Receipt.Sent} acknowledged {end.Receipt.Acknowledged}");
        return end.IsClean && end.Receipt.NoLossKnown ? 0 : 4;
    }

    /// <summary>Says what its packets are called, and sends two.</summary>
    private static Task<int> NamesAsync()
    {
        var options = new WorkerHostOptions();
        options.Link.KnownPackets = [NumberPacket.Type];
        return WorkerHost.RunAsync(
            async (link, _) =>
            {
                await SendNumbersAsync(link, 2).ConfigureAwait(false);
                return 0;
            },
            options: options);
    }

    /// <summary>Offers numbers without a look at the answers, says so, and closes.</summary>
    private static async Task<int> IgnoreAsync(int count, LanePolicy policy)
    {
        var options = new WorkerHostOptions();
        options.Link.MaxQueuedBytes = 64 << 10;
        options.Link.NormalPolicy = policy;
        Link link = await WorkerHost.ConnectAsync(null, options).ConfigureAwait(false);
        for (int i = 1; i <= count; i++)
        {
            _ = link.TrySend(NumberPacket.Type, i);
        }

        Say("offered");
        LinkEnd end = await link.CloseAsync(timeout: TimeSpan.FromSeconds(80)).ConfigureAwait(false);
        Say($"complete: {end.Receipt.NoLossKnown}; {end.Receipt}");
        return end.IsClean ? 0 : 4;
    }

    private static async Task SendNumbersAsync(Link link, int count)
    {
        for (int i = 1; i <= count; i++)
        {
            if (await link.SendAsync(NumberPacket.Type, i).ConfigureAwait(false) != SendResult.Queued)
            {
                throw new InvalidOperationException($"packet {i} was not taken");
            }
        }
    }

    /// <summary>Leaves when the main node says so; answers each number with its double.</summary>
    private static async Task<int> StayAsync()
    {
        Link? link = null;
        var linked = new TaskCompletionSource<bool>();
        PacketRouter router = new PacketRouter().On(NumberPacket.Type, async (number, context) =>
        {
            await linked.Task.ConfigureAwait(false);
            _ = await link!.SendAsync(NumberPacket.Type, 2 * number).ConfigureAwait(false);
        });
        link = await WorkerHost.ConnectAsync(router).ConfigureAwait(false);
        linked.SetResult(true);
        Say($"connected {Process.GetCurrentProcess().Id}");
        LinkEnd end = await link.Completion.ConfigureAwait(false);
        if (!end.IsClean)
        {
            await ForeverAsync().ConfigureAwait(false); // the parent monitor must do it
        }

        Say("ended: " + end.Reason);

        return 0;
    }

    /// <summary>Sends its numbers once it is asked to finish, then closes; a negative count: sends one number and never ends.</summary>
    private static async Task<int> FinishAsync(int count)
    {
        Link link = await WorkerHost.ConnectAsync(null, new WorkerHostOptions { CloseOnStop = false }).ConfigureAwait(false);
        var asked = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenRegistration registration = link.StopRequested.Register(() => asked.SetResult(true));
        Say($"connected {Process.GetCurrentProcess().Id}");
        await asked.Task.ConfigureAwait(false);
        await SendNumbersAsync(link, Math.Abs(count)).ConfigureAwait(false);
        if (count < 0)
        {
            await ForeverAsync().ConfigureAwait(false);
        }

        LinkEnd end = await link.CloseAsync().ConfigureAwait(false);
        return end.IsClean && end.Receipt.NoLossKnown ? 0 : 4;
    }

    /// <summary>Sends generated packets back as it has read them, until the main node says goodbye.</summary>
    private static async Task<int> EchoAsync()
    {
        Link? link = null;
        var linked = new TaskCompletionSource<bool>();
        PacketRouter router = new PacketRouter().On<Report>(report => BackAsync(Report.PacketType, report))
            .On<Kinds>(kinds => BackAsync(Kinds.PacketType, kinds));
        link = await WorkerHost.ConnectAsync(router).ConfigureAwait(false);
        linked.SetResult(true);
        await link.Completion.ConfigureAwait(false);
        return 0;

        async Task BackAsync<T>(PacketType<T> type, T packet)
        {
            await linked.Task.ConfigureAwait(false);
            _ = await link!.SendAsync(type, packet).ConfigureAwait(false);
        }
    }

    private static async Task<int> LeaveAsync(int count, int code)
    {
        Link link = await WorkerHost.ConnectAsync().ConfigureAwait(false);
        await SendNumbersAsync(link, count).ConfigureAwait(false);
        await WrittenAsync(link).ConfigureAwait(false);
        Console.Error.WriteLine("leaving without goodbye");
        Program._exit(code);
        return code;
    }

    /// <summary>Sends numbers, waits until they are written, says its last output, and dies by what it is reported.</summary>
    private static async Task<int> DieAsync(int count, string how)
    {
        Link link = await WorkerHost.ConnectAsync().ConfigureAwait(false);
        await SendNumbersAsync(link, count).ConfigureAwait(false);
        await WrittenAsync(link).ConfigureAwait(false);
        Console.Error.WriteLine("last output");
        Exits.Die(how);
        await ForeverAsync().ConfigureAwait(false);
        GC.KeepAlive(link);
        return 0;
    }

    /// <summary>The worst worker: its handler never returns, and no thread of the pool is free.</summary>
    private static async Task<int> BusyAsync()
    {
        using var never = new ManualResetEvent(false);
        using var inHandler = new ManualResetEvent(false);
        PacketRouter router = new PacketRouter().On(NumberPacket.Type, (_, _) =>
        {
            inHandler.Set();
            never.WaitOne();
        });
        await WorkerHost.ConnectAsync(router).ConfigureAwait(false);
        Say($"connected {Process.GetCurrentProcess().Id}");
        var watcher = new Thread(() =>
        {
            inHandler.WaitOne();
            for (int i = 0; i < 500; i++)
            {
                ThreadPool.QueueUserWorkItem(_ => never.WaitOne());
            }

            Say("busy");
        });
        watcher.Start();
        never.WaitOne();
        return 0;
    }

    /// <summary>Its exit handlers hang.</summary>
    private static async Task<int> StubbornAsync()
    {
        using var never = new ManualResetEvent(false);
        AppDomain.CurrentDomain.ProcessExit += (_, _) => never.WaitOne();
        await WorkerHost.ConnectAsync().ConfigureAwait(false);
        Say($"connected {Process.GetCurrentProcess().Id}");
        never.WaitOne();
        return 0;
    }

    /// <summary>Breaks its link and runs on.</summary>
    /// <summary>Sends until the queue is full, then makes a file.</summary>
    private static async Task<int> FloodAsync(string file)
    {
        Link link = await WorkerHost.ConnectAsync(null, new WorkerHostOptions { ExitWithMainNode = true }).ConfigureAwait(false);
        Say($"connected {Process.GetCurrentProcess().Id}");
        while (link.TrySendRaw(1025, new byte[50_000]) != SendResult.Full)
        {
        }

        File.WriteAllText(file, "full");
        await ForeverAsync().ConfigureAwait(false);
        return 0;
    }

    private static async Task<int> NoGoodbyeAsync()
    {
        using var never = new ManualResetEvent(false);
        Link link = await WorkerHost.ConnectAsync(null, new WorkerHostOptions { ExitWithMainNode = false }).ConfigureAwait(false);
        Say($"connected {Process.GetCurrentProcess().Id}");
        CloseSockets();
        never.WaitOne();
        GC.KeepAlive(link);
        return 0;
    }

    private static async Task<int> EnvironmentAsync()
    {
        await using Link link = await WorkerHost.ConnectAsync().ConfigureAwait(false);
        Say("started by the runtime:");
        using (Process child = Process.Start(new ProcessStartInfo("/usr/bin/env") { UseShellExecute = false })!)
        {
            child.WaitForExit();
        }

        Say("started by native code:");
        Program.system("/usr/bin/env");
        Say("own block:");
        Say(Encoding.UTF8.GetString(File.ReadAllBytes("/proc/self/environ")).Replace('\0', '\n'));
        Say("still a worker: " + WorkerHost.IsWorker);
        await link.CloseAsync().ConfigureAwait(false);
        return 0;
    }

    private static Task<int> WrongSecretAsync()
    {
        Environment.SetEnvironmentVariable("TRANSPORT_SECRET", new string('0', 64));
        return RefusedAsync();
    }

    /// <summary>Reports why it got no link.</summary>
    private static async Task<int> RefusedAsync()
    {
        try
        {
            await WorkerHost.ConnectAsync().ConfigureAwait(false);
            return 0;
        }
        catch (TransportException thrown)
        {
            Console.Error.WriteLine(thrown.Message);
            return 3;
        }
    }

    private static async Task<int> GarbageAsync()
    {
        WireEndpoint endpoint = WireEndpoint.Parse(Environment.GetEnvironmentVariable("TRANSPORT_ENDPOINT")!);
        using IWire wire = await WireFactory.ConnectAsync(endpoint, TimeSpan.FromSeconds(60), []).ConfigureAwait(false);
        byte[] bytes = Encoding.ASCII.GetBytes("GET / HTTP/1.1\r\n\r\n");
        wire.Write(bytes, 0, bytes.Length);
        try
        {
            while (wire.Read(bytes, 0, bytes.Length, -1) > 0)
            {
            }
        }
        catch (IOException)
        {
            // closed with our bytes unread: a reset
        }

        return 0;
    }

    /// <summary>Says half of a frame's header and no more.</summary>
    private static async Task<int> HalfHelloAsync()
    {
        WireEndpoint endpoint = WireEndpoint.Parse(Environment.GetEnvironmentVariable("TRANSPORT_ENDPOINT")!);
        using IWire wire = await WireFactory.ConnectAsync(endpoint, TimeSpan.FromSeconds(60), []).ConfigureAwait(false);
        wire.Write([0x93], 0, 1);
        Say("half");
        await ForeverAsync().ConfigureAwait(false);
        return 0;
    }

    /// <summary>Takes all descriptors as soon as there is a link, so that nothing can watch the main node; lives on.</summary>
    private static async Task<int> NoWatchAsync()
    {
        using var thief = new DescriptorThief();
        try
        {
            await WorkerHost.ConnectAsync().ConfigureAwait(false);
            Say("connected");
        }
        catch (Exception thrown) when (thrown is IOException or TransportException)
        {
            thief.GiveBack();
            Say("no watch: " + thrown.Message);
        }

        await ForeverAsync().ConfigureAwait(false);
        return 0;
    }

    private static async Task WrittenAsync(Link link)
    {
        while (link.Counters.QueuedBytes > 0)
        {
            await Task.Yield();
        }
    }

    private static void CloseSockets()
    {
        foreach (string path in Directory.GetFileSystemEntries("/proc/self/fd"))
        {
            int fd = Number(Path.GetFileName(path));
            Program.shutdown(fd, 2); // does nothing to what is no connected socket
        }
    }

    private static void Say(string text)
    {
        Console.Out.WriteLine(text);
        Console.Out.Flush();
    }

    private static Task ForeverAsync() => new TaskCompletionSource<bool>().Task;
}
