using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using BuildHarness.Collecting;
using BuildHarness.Packets;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Building;

/// <summary>The worker processes of a command, and what they say, as one sequence of news. Safe from any thread.</summary>
internal sealed class WorkerFleet : IAsyncDisposable
{
    /// <summary>The hidden command that makes this program a worker.</summary>
    public const string WorkerCommand = "worker";

    /// <summary>What a worker is for: the word after the command.</summary>
    public const string Builds = "build", TracedBuilds = "build-traced", Replays = "replay";

    /// <summary>A solution's evaluation is one event; those of the largest that are known stay far below this.</summary>
    public const int LargestEvent = 256 << 20;

    private readonly MainNode _main;
    private readonly string _work;
    private readonly Channel<FleetNews> _news = Channel.CreateUnbounded<FleetNews>(new UnboundedChannelOptions { SingleReader = true });
    private readonly Lock _gate = new();
    private readonly Action<FleetNode, OutputLine> _output;
    private readonly NodePacketHandler _event;
    private readonly Action<string> _stall;
    private readonly Func<string, IPacketStore>? _storeOf;
    private readonly WorkerStartOptions? _program;
    private volatile IReadOnlyList<FleetNode> _nodes = [];   // replaced under the gate, never changed: each reader has a list of its own
    private int _lastNumber;   // raised by each start of a worker
    private string? _stopReason;

    private WorkerFleet(
        MainNode main,
        string work,
        WorkerStartOptions? program,
        NodePacketHandler onEvent,
        Action<FleetNode, OutputLine> output,
        Action<string> stall,
        Func<string, IPacketStore>? storeOf)
    {
        _storeOf = storeOf;
        _main = main;
        _work = work;
        _program = program;
        _event = onEvent;
        _output = output;
        _stall = stall;
    }

    /// <summary>Gets or sets what takes the samples of workers that are traced; on the receive loop of the node's link. Set before the
    /// first worker is added.</summary>
    public Action<FleetNode, LinkSample>? Sampled { get; set; }

    /// <summary>Gets or sets what collects the workers' outputs, or null. Set before the first worker is added.</summary>
    public Collection? Outputs { get; set; }

    public ChannelReader<FleetNews> News => _news.Reader;

    /// <summary>Gets every worker that was ever started, in order, as of this moment.</summary>
    public IReadOnlyList<FleetNode> Nodes => _nodes;

    public long Refused => _main.RefusedConnections;

    /// <param name="work"><see cref="Builds"/>, <see cref="TracedBuilds"/> or <see cref="Replays"/>.</param>
    /// <param name="options">Of the main node; what the fleet needs is set here.</param>
    /// <param name="onEvent">Takes the build events, what projects were evaluated to, and in a replay whatever else was recorded; on the
    /// receive loop of the node's link.</param>
    /// <param name="output">Takes the lines that workers write.</param>
    /// <param name="stall">Takes a line when a worker's link stands still, and one when that is over.</param>
    /// <param name="storeOf">Makes what keeps every packet of a node that is taken; null: none is kept.</param>
    /// <param name="program">The program to start as a worker; null: this program again.</param>
    /// <exception cref="HarnessException">The endpoint cannot be made.</exception>
    public static WorkerFleet Start(
        string work,
        MainNodeOptions options,
        NodePacketHandler onEvent,
        Action<FleetNode, OutputLine> output,
        Action<string> stall,
        Func<string, IPacketStore>? storeOf,
        WorkerStartOptions? program = null)
    {
        options.Link.MaxPacketBytes = LargestEvent;
        // taken as bytes, so the router does not know their names
        options.Link.KnownPackets = [BuildEvent.PacketType, ProjectEvaluated.PacketType, OutputFileBytes.PacketType];

        try
        {
            return new WorkerFleet(MainNode.Start(options), work, program, onEvent, output, stall, storeOf);
        }
        catch (Exception e) when (e is TransportException or ArgumentException)
        {
            throw new HarnessException(e.Message);
        }
    }

    /// <summary>Starts one more worker.</summary>
    /// <param name="named">Called with its name before anything can come from it.</param>
    /// <exception cref="HarnessException">It cannot be started.</exception>
    public FleetNode Add(Action<string>? named = null)
    {
        var node = new FleetNode(string.Create(CultureInfo.InvariantCulture, $"n{Interlocked.Increment(ref _lastNumber)}"));
        named?.Invoke(node.Id);
        PacketRouter router = new PacketRouter()
            .OnRaw(BuildEvent.PacketType.Id, packet =>
            {
                node.CountEvent();
                _event(node, packet);
            })
            .OnRaw(ProjectEvaluated.PacketType.Id, packet =>
            {
                _event(node, packet);
                Report(new FleetNews.Evaluated(node, packet.Read(ProjectEvaluated.PacketType)));
            })
            .On<LinkSample>(sample => Sampled?.Invoke(node, sample))
            .On<AskProject>(question =>
            {
                node.Expect(question.Request);
                Report(new FleetNews.Asked(node, question));
            })
            .On<ProjectStandsStill>(still => Report(new FleetNews.StandsStill(node, still)))   // it may have ended meanwhile
            .On<ProjectBuilt>(built =>
            {
                node.LeftOut = built.LeftOut;
                node.Finish(built.Id); // here, in its place among the packets: the main loop may hear of it only after the worker's end
                Report(new FleetNews.Built(node, built));
            })
            .On<OutputsSent>(sent =>
            {
                Outputs?.Of(node.Id).Finish();
                Report(new FleetNews.Sent(node, sent.Id));
            })
            .On<Replayed>(replayed =>
            {
                node.Finish(FleetNode.Recording);
                Report(new FleetNews.Replayed(node, replayed));
            });
        Outputs?.Of(node.Id).AddTo(router);
        if (_work == Replays)
        {
            router.OnUnknown(packet =>
            {
                // What a journal held besides build events.
                node.CountEvent();
                _event(node, packet);
            });
        }

        if (_storeOf is not null)
        {
            router.UseStore(_storeOf(node.Id));
        }

        WorkerStartOptions start = _program ?? ThisProgram(_work);
        (start.Node, start.Router, start.Output) = (node.Id, router, line => _output(node, line));
        try
        {
            node.Worker = _main.StartWorker(start);
        }
        catch (TransportException e) when (e.Fault == TransportFault.StartFailed)
        {
            throw new HarnessException($"No worker can be started: {e.Message}");
        }

        node.Stalls.Follow(node.Worker, _stall);
        lock (_gate)
        {
            _nodes = [.. _nodes, node];
        }

        _ = WatchAsync(() => FollowAsync(node));
        return node;
    }

    public void Report(FleetNews news) => _news.Writer.TryWrite(news);

    /// <summary>Runs a task that the main loop depends on. Whatever it throws becomes news, so the loop never waits for a task that has
    /// failed.</summary>
    /// <param name="helper">Starts the task.</param>
    /// <returns>A task that ends with the helper and never fails.</returns>
    public async Task WatchAsync(Func<Task> helper)
    {
        try
        {
            await helper().ConfigureAwait(false);
        }
#pragma warning disable CA1031 // the loop throws it again
        catch (Exception e)
#pragma warning restore CA1031
        {
            Report(new FleetNews.Failed(ExceptionDispatchInfo.Capture(e)));
        }
    }

    /// <summary>Asks every worker that is still there to give up or finish; its end comes as news.</summary>
    public void StopAll(string reason)
    {
        Volatile.Write(ref _stopReason, reason);
        foreach (FleetNode node in _nodes.Where(n => !n.Worker.WaitForExitAsync().IsCompleted))
        {
            if (node.Link is { } link)
            {
                // Full: it does not read, and is killed when its time is over.
                _ = link.TrySend(StopWork.PacketType, new StopWork(reason));
            }
        }
    }

    /// <summary>Asks one worker to give up, and waits until it has ended; one that takes too long is killed.</summary>
    public static Task StopAsync(FleetNode node, string reason, TimeSpan most)
    {
        _ = node.Link?.TrySend(StopWork.PacketType, new StopWork(reason));
        return EndAsync(node, most);
    }

    public void KillAll()
    {
        foreach (WorkerProcess worker in _main.Workers)
        {
            worker.Kill("interrupted");
        }
    }

    /// <summary>Waits until every worker has ended; those that take too long are killed.</summary>
    public async Task EndAsync(TimeSpan most)
    {
        await Task.WhenAll(_nodes.Select(node => EndAsync(node, most))).ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        await _main.DisposeAsync().ConfigureAwait(false);
        _news.Writer.TryComplete();
    }

    /// <summary>This program again: its own executable, or <c>dotnet</c> with its dll if it was started that way.</summary>
    private static WorkerStartOptions ThisProgram(string work)
    {
        string self = Environment.ProcessPath
            ?? throw new HarnessException("The system does not report where this program stands, so no worker can be started.");
        bool isHost = System.IO.Path.GetFileNameWithoutExtension(self).Equals("dotnet", StringComparison.OrdinalIgnoreCase);
        string[] before = isHost ? [System.IO.Path.Combine(AppContext.BaseDirectory, "buildharness.dll")] : [];
        return new WorkerStartOptions(self, [.. before, WorkerCommand, work]) { OwnProcessGroup = true };
    }

    private static async Task EndAsync(FleetNode node, TimeSpan most)
    {
        try
        {
            await node.Worker.WaitForExitAsync().WaitAsync(most).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            node.Worker.Kill(FormattableString.Invariant(
                $"it had not ended {most.TotalSeconds:0.#} s after it was asked to end"));
            await node.Worker.WaitForExitAsync().ConfigureAwait(false);
        }
    }

    private async Task FollowAsync(FleetNode node)
    {
        try
        {
            node.Link = await node.Worker.WaitForLinkAsync().ConfigureAwait(false);
            node.Stalls.Follow(node.Worker, node.Link, _stall);
            Outputs?.Of(node.Id).Connected(node.Link);
            if (Volatile.Read(ref _stopReason) is { } reason)
            {
                // It came too late for StopAll.
                _ = node.Link.TrySend(StopWork.PacketType, new StopWork(reason));
            }

            Report(new FleetNews.Ready(node));
        }
        catch (TransportException)
        {
            // Its end says why.
        }

        WorkerExit end = await node.Worker.WaitForExitAsync().ConfigureAwait(false);
        Outputs?.Of(node.Id).Ended();
        Report(new FleetNews.Ended(node, end));
    }
}
