using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Logging;
using Transport.Processes.Tests.Kit;
using Transport.Testing.Links;
using Transport.Testing.Wires;
using Transport.Testing;

namespace Transport.Processes.Tests.Clients;

/// <summary>One program that speaks the protocol without this library, against a main node; keeps what each side saw.</summary>
internal sealed class ClientRun
{
    private const string Python = "/usr/bin/python3";
    private const string NeedsPython = "python3-msgpack (Debian: apt-get install python3-msgpack)";
    private const string NeedsNode =
        "node with @msgpack/msgpack (npm install --prefix DIR @msgpack/msgpack, TRANSPORT_NODE_MODULES=DIR/node_modules)";


    private ClientRun(WorkerExit end, Lines lines)
    {
        End = end;
        Words = (lines.Of(isError: false).LastOrDefault() ?? string.Empty).Split(' ');
    }

    public WorkerExit End { get; }

    /// <summary>Gets what the client says that it got from the main node, in order.</summary>
    public string[] Words { get; }

    public List<LogEvent> Events { get; private init; } = [];

    public List<OutputPacket> Outputs { get; private init; } = [];

    public List<ProgressPacket> Progress { get; private init; } = [];

    public List<(int Type, Lane Lane, byte[] Body)> Unknown { get; private init; } = [];

    public List<RefusedConnection> Refused { get; private init; } = [];

    /// <summary>Gets what came over the link, bytes of control packets included.</summary>
    public long BytesReceived { get; private init; }

    public LinkReceipt Receipt => End.Link!.Receipt;

    public static async Task<ClientRun> OfAsync(
        string script, string[] arguments, string? wire = null, Action<LinkOptions>? change = null, Action<Link>? send = null,
        Action<PacketRouter>? handle = null, TimeSpan? grace = null)
    {
        using var folder = new TestFolder();
        WorkerStartOptions start = await StartAsync(script, arguments, folder).ConfigureAwait(false);
        List<LogEvent> events = [];
        List<OutputPacket> outputs = [];
        List<ProgressPacket> progress = [];
        List<(int Type, Lane Lane, byte[] Body)> unknown = [];
        List<RefusedConnection> refused = [];
        var lines = new Lines();
        var options = new MainNodeOptions { Wire = WireKinds.Of(wire ?? MainRig.DefaultWire), ConnectTimeout = WithinExtensions.Bound,
            BrokenLinkGrace = grace ?? WithinExtensions.Bound };
        change?.Invoke(options.Link);
        PacketRouter router = new PacketRouter()
            .On<LogEvent>(events.Add)
            .On<OutputPacket>(outputs.Add)
            .On<ProgressPacket>(progress.Add)
            .OnUnknown(packet => unknown.Add((packet.Type, packet.Lane, packet.ToArray())));
        handle?.Invoke(router);
        await using MainNode main = MainNode.Start(options);
        main.ConnectionRefused += (_, e) => refused.Add(e);
        WorkerProcess worker = main.StartWorker(start.With(router, lines.Take));
        if (send is not null)
        {
            // A client that lacks a library ends without ever connecting; its end says which one.
            await Task.WhenAny(worker.WaitForLinkAsync(), worker.WaitForExitAsync())
                .Within("the client's link or its end").ConfigureAwait(false);
            if (worker.WaitForLinkAsync().Status == TaskStatus.RanToCompletion)
            {
                send(await worker.WaitForLinkAsync().ConfigureAwait(false));
            }
        }

        WorkerExit end = await worker.WaitForExitAsync().Within($"the end of {script} {string.Join(" ", arguments)}").ConfigureAwait(false);
        TestContext.Out.WriteLine($"{end}; link: {end.Link?.ToString() ?? "none"}; refused: {string.Join(", ", refused)}");
        lines.All().ForEach(line => TestContext.Out.WriteLine($"  {(line.IsError ? "err" : "out")}: {line.Text}"));
        RequireLibrary(end);
        long bytes = worker.WaitForLinkAsync().Status == TaskStatus.RanToCompletion
            ? (await worker.WaitForLinkAsync().ConfigureAwait(false)).Counters.BytesReceived : 0;
        return new ClientRun(end, lines)
        {
            BytesReceived = bytes, Events = events, Outputs = outputs, Progress = progress, Unknown = unknown, Refused = refused,
        };
    }

    private static async Task<WorkerStartOptions> StartAsync(string script, string[] arguments, TestFolder folder)
    {
        string source = Script(script);
        if (script.EndsWith(".c", StringComparison.Ordinal))
        {
            return new WorkerStartOptions(await CompiledC.Program(folder.Path, File.ReadAllText(source)).ConfigureAwait(false), arguments);
        }

        if (script.EndsWith(".py", StringComparison.Ordinal))
        {
            return File.Exists(Python) ? new WorkerStartOptions(Python, [source, .. arguments]) : throw Missing(NeedsPython);
        }

        bool hasNode = (Environment.GetEnvironmentVariable("PATH") ?? string.Empty).Split(Path.PathSeparator)
            .Any(one => File.Exists(Path.Combine(one, "node")));
        var start = new WorkerStartOptions("node", [source, .. arguments]);
        start.Environment["NODE_PATH"] = Environment.GetEnvironmentVariable("TRANSPORT_NODE_MODULES");
        return hasNode ? start : throw Missing(NeedsNode);
    }

    private static void RequireLibrary(WorkerExit end)
    {
        if (end.LastErrorLines.Any(line => line.Contains("No module named 'msgpack'")))
        {
            throw Missing(NeedsPython);
        }

        if (end.LastErrorLines.Any(line => line.Contains("Cannot find module '@msgpack/msgpack'")))
        {
            throw Missing(NeedsNode);
        }
    }

    private static IgnoreException Missing(string needed)
    {
        Assert.That(Environment.GetEnvironmentVariable("CI"), Is.Not.EqualTo("true"), "CI needs " + needed);
        return new IgnoreException("Needs " + needed);
    }

    private static string Script(string relative)
    {
        for (DirectoryInfo? folder = new(TestContext.CurrentContext.TestDirectory); folder is not null; folder = folder.Parent)
        {
            string file = Path.Combine(folder.FullName, relative);
            if (File.Exists(file))
            {
                return file;
            }
        }

        throw new FileNotFoundException(
            $"No {relative} above {TestContext.CurrentContext.TestDirectory}: run the tests inside the source tree.");
    }
}
