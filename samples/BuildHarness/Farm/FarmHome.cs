using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Packets;
using BuildHarness.Planning;
using BuildHarness.Summary;
using NATS.Client.Core;
using Transport;
using Transport.Nats;

namespace BuildHarness.Farm;

/// <summary>A build's end of the farm: gives projects to agents, takes their results once all events before them are here, and hears who is
/// there. Says by <see cref="FleetNews"/> what came of a project. Safe from any thread, but for <see cref="Next"/>.</summary>
internal sealed class FarmHome : IAsyncDisposable
{
    /// <summary>As many projects wait for an agent at once: enough that none is idle, few enough that what is ready later and more urgent
    /// is not behind all others.</summary>
    private const int MostWaiting = 4;

    private static readonly TimeSpan AskTime = TimeSpan.FromSeconds(5);

    private readonly FarmBuild _build;
    private readonly FarmCrew _crew;
    private readonly NatsConnection _connection;
    private readonly Action<FleetNews> _report;
    private readonly FarmEvents _events;
    private readonly RemotePool _pool;
    private readonly CancellationTokenSource _cancelled = new();
    private readonly ConcurrentBag<Task> _given = [];   // one of each project; they never fail
    private int _number;    // of the main loop alone
    private int _waiting;   // by Interlocked: raised by the main loop, lowered by the flows of requests

    private FarmHome(
        FarmBuild build, NatsConnection connection, FarmCrew crew, FarmEvents events, RemotePool pool, Action<FleetNews> report)
    {
        (_build, _connection, _crew, _events, _pool, _report) = (build, connection, crew, events, pool, report);
    }

    /// <summary>Gets how many packets have come from agents.</summary>
    public long Packets => _events.Packets;

    /// <summary>Connects, and calls the agents.</summary>
    /// <param name="settings">Where the farm is.</param>
    /// <param name="folder">The folder of what is built, on the shared file system.</param>
    /// <param name="sdk">The version of the SDK.</param>
    /// <param name="level">Which events are wanted.</param>
    /// <param name="hasOwn">Workers of this machine help, so that nothing has to wait for an agent.</param>
    /// <param name="feed">Takes events.</param>
    /// <param name="storeOf">Makes what keeps every packet of a worker; null: none is kept.</param>
    /// <param name="say">Takes a line for people.</param>
    /// <param name="warn">Takes a line that somebody must see.</param>
    /// <param name="report">Takes news.</param>
    /// <param name="fail">Called if the farm cannot go on.</param>
    /// <param name="cancellationToken">Ends the wait for the server.</param>
    /// <exception cref="HarnessException">There is no server, or the folder cannot be written.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static async Task<FarmHome> StartAsync(
        FarmSettings settings, string folder, string sdk, PacketLevel level, bool hasOwn, EventFeed feed,
        Func<string, IPacketStore>? storeOf, Action<string> say, Action<string> warn, Action<FleetNews> report,
        Action<HarnessException> fail, CancellationToken cancellationToken)
    {
        NatsConnection connection = settings.Connect();
        FarmBuild? build = null;
        FarmEvents? events = null;
        try
        {
            await settings.ConnectAsync(connection, cancellationToken).ConfigureAwait(false);
            string id = Guid.NewGuid().ToString("N");
            build = new FarmBuild(id, sdk, Path.Combine(folder, ".buildharness-farm-" + id), Guid.NewGuid().ToString("N"), (int)level);
            WriteToken(build);
            events = FarmEvents.Start(connection, id, feed, storeOf, warn, fail);
            FarmCrew crew = await FarmCrew.CallAsync(connection, build, settings.Place, hasOwn, say, warn, fail).ConfigureAwait(false);
            var pool = RemotePool.Start(connection, new RemotePoolOptions
            {
                Stream = FarmSettings.Work(), Pool = FarmSettings.Pool, MaxTries = 1, GiveUpAfter = FarmSettings.Patience, Report = warn,
            });
            return new FarmHome(build, connection, crew, events, pool, report);
        }
        catch
        {
            await (events?.DisposeAsync() ?? default).ConfigureAwait(false);
            await connection.DisposeAsync().ConfigureAwait(false);
            RemoveToken(build);
            throw;
        }
    }

    /// <summary>Returns what can take a project; null: enough wait for an agent. For the main loop.</summary>
    public FarmNode? Next() => Volatile.Read(ref _waiting) >= MostWaiting ? null
        : new FarmNode(string.Create(CultureInfo.InvariantCulture, $"farm {++_number}"), this);

    /// <summary>Gives a project to whatever agent takes it.</summary>
    public void Give(FarmNode node, PlannedProject project)
    {
        Interlocked.Increment(ref _waiting);
        _given.Add(Task.Run(() => AskAsync(node, project)));
    }

    /// <summary>Ends the build at the agents, and hears how their workers ended.</summary>
    /// <param name="reason">As of <see cref="StopWork"/>.</param>
    /// <param name="most">How long they get.</param>
    /// <param name="projects">What was built, and where.</param>
    public async Task<IReadOnlyList<AgentSummary>> EndAsync(string reason, TimeSpan most, IReadOnlyList<ProjectSummary> projects)
    {
        await _cancelled.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(_given).WaitAsync(most).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        using var time = new CancellationTokenSource(most);
        return await Task.WhenAll(_crew.Journals.Select(one => EndAsync(one, reason, projects, time.Token))).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _cancelled.CancelAsync().ConfigureAwait(false);
        await _pool.DisposeAsync().ConfigureAwait(false);
        await Task.WhenAll(_given).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _crew.DisposeAsync().ConfigureAwait(false);
        await _events.DisposeAsync().ConfigureAwait(false);
        await _connection.DisposeAsync().ConfigureAwait(false);
        RemoveToken(_build);
    }

    private static void RemoveToken(FarmBuild? build)
    {
        try
        {
            if (build is not null)
            {
                File.Delete(build.TokenPath);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // It means nothing to anybody else.
        }
    }

    private static void WriteToken(FarmBuild build)
    {
        try
        {
            File.WriteAllText(build.TokenPath, build.Token);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new HarnessException("Agents are shown that they see the same files by a file beside what is built, and "
                + $"{build.TokenPath} cannot be written: {e.Message}");
        }
    }

    /// <summary>Sees one project through. Whatever happens, there is one piece of news of its end.</summary>
    private async Task AskAsync(FarmNode node, PlannedProject project)
    {
        int isWaiting = 1;
        FarmProjectBegin? begun = null;
        try
        {
            var request = new FarmProject(_build, BuildProject.Of(project, OutputsWanted.None));
            FarmProjectEnd end = await _pool.RequestAsync<FarmProjectEnd, FarmProjectBegin>(
                request, new Begins(Begin), cancellationToken: _cancelled.Token).ConfigureAwait(false);
            if (end.Begin is not { } begin)
            {
                throw new HarnessException((end.Who ?? "An agent has refused a project") + ".");
            }

            Begin(begin);
            if (!await _events.WaitAsync(begin.Journal, begin.Node, end.Events, _cancelled.Token).ConfigureAwait(false))
            {
                throw new HarnessException($"Events of {node.Where} are lost on their way, so that nobody knows what it has done.");
            }

            _report(end.Result is { } result ? new FleetNews.Built(node, result)
                : new FleetNews.Lost(node, end.Who ?? "its agent gave no reason", end.Details ?? []));
        }
        catch (TransportException e)
        {
            string who = begun is not null && e.InnerException is FleetException { Fault: FleetFault.TriedTooOften }
                ? $"agent {AgentSite.AgentOf(node.Where)} gave no sign any more" : e.Message;
            _report(new FleetNews.Lost(node, who, []));
        }
        catch (OperationCanceledException)
        {
            _report(new FleetNews.Lost(node, "it was cancelled", []));
        }
        catch (HarnessException e)
        {
            _report(new FleetNews.Failed(ExceptionDispatchInfo.Capture(e)));
        }
        finally
        {
            NotWaiting();
        }

        void Begin(FarmProjectBegin by)
        {
            if (by == begun)
            {
                return;   // it was reported before
            }

            begun = by;
            _crew.Note(by);
            node.At(_events.NameOf(by.Journal, by.Node));
            NotWaiting();
            _report(new FleetNews.Begun(node));
        }

        void NotWaiting()
        {
            if (Interlocked.Exchange(ref isWaiting, 0) == 1)
            {
                Interlocked.Decrement(ref _waiting);
            }
        }
    }

    private async Task<AgentSummary> EndAsync(
        FarmProjectBegin one, string reason, IReadOnlyList<ProjectSummary> projects, CancellationToken time)
    {
        string name = AgentSite.AgentOf(_events.NameOf(one.Journal, one.Node));
        var summary = new AgentSummary
        {
            Name = name,
            Projects = projects.Count(project => project.Node is { } node && AgentSite.AgentOf(node) == name),
            Problem = "it has not said how its workers ended",
        };
        if (await AskEndAsync(one.Agent, reason, time).ConfigureAwait(false) is not { } report || report.Journal != one.Journal
            || ReadNodes(report.Nodes) is not { } nodes)
        {
            return summary with { Events = _events.Of(one.Journal) };
        }

        bool all = true;
        foreach (JsonObject node in nodes.OfType<JsonObject>())
        {
            string id = (string?)node["id"] ?? string.Empty;
            try
            {
                all &= await _events.WaitAsync(one.Journal, id, (long?)node["events"] ?? 0, time).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                all = false;
            }

            node["id"] = _events.NameOf(one.Journal, id);
        }

        return summary with
        {
            Events = _events.Of(one.Journal), AllEvents = all, Nodes = nodes,
            Problem = all ? null : "not all events of its workers have come",
        };
    }

    /// <returns>What the agent reports; null: it has not answered in time.</returns>
    private async Task<FarmReport?> AskEndAsync(Guid agent, string reason, CancellationToken time)
    {
        byte[] end = FarmSettings.Bytes(FarmBuildEnd.PacketType, new FarmBuildEnd(_build.Id, reason));
        while (!time.IsCancellationRequested)
        {
            try
            {
                NatsMsg<byte[]> answer = await _connection.RequestAsync<byte[], byte[]>(
                    FarmSettings.EndOf(agent), end, replyOpts: new NatsSubOpts { Timeout = AskTime }, cancellationToken: time)
                    .ConfigureAwait(false);
                return FarmSettings.Read(FarmReport.PacketType, answer.Data);
            }
            catch (NatsNoRespondersException)
            {
                return null;   // it has gone
            }
            catch (Exception e) when (e is NatsException or TimeoutException or OperationCanceledException)
            {
                // Again: what it says is the same.
            }
        }

        return null;
    }

    private static JsonArray? ReadNodes(string json)
    {
        try
        {
            return JsonNode.Parse(json) as JsonArray;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>Hands reports on at once, in order.</summary>
    private sealed class Begins(Action<FarmProjectBegin> take) : IProgress<FarmProjectBegin>
    {
        public void Report(FarmProjectBegin value) => take(value);
    }
}
