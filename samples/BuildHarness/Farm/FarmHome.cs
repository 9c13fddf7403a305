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
using BuildHarness.Summary;
using NATS.Client.Core;
using Transport;
using Transport.Nats;

namespace BuildHarness.Farm;

/// <summary>A build's end of the farm: borrows workers of agents, takes their results once all events before them are here, and hears who
/// is there. Says the rest by <see cref="FleetNews"/>. Safe from any thread, but for <see cref="Want"/>.</summary>
internal sealed class FarmHome : IAsyncDisposable
{
    /// <summary>As many loans wait for an agent at once.</summary>
    private const int MostWaiting = 4;

    /// <summary>So many loans in a row that come to nothing, and there is no use in asking for another.</summary>
    private const int MostVain = 3;

    private static readonly TimeSpan AskTime = TimeSpan.FromSeconds(5);

    private readonly FarmBuild _build;
    private readonly FarmCrew _crew;
    private readonly NatsConnection _connection;
    private readonly Action<FleetNews> _report;
    private readonly FarmEvents _events;
    private readonly RemotePool _pool;
    private readonly ConcurrentDictionary<CancellationTokenSource, Guid> _loans;   // whose each is, by what ends it
    private readonly CancellationTokenSource _ending = new(), _cancelled = new();
    private readonly ConcurrentBag<Task> _lent = [];   // one of each loan; they never fail
    private int _number;    // of the main loop alone
    private int _waiting;   // by Interlocked: raised by the main loop, lowered by the flows of loans
    private int _vain;      // by Interlocked: loans in a row that came to nothing

    private FarmHome(
        FarmBuild build, NatsConnection connection, FarmCrew crew, FarmEvents events, RemotePool pool,
        ConcurrentDictionary<CancellationTokenSource, Guid> loans, Action<FleetNews> report)
    {
        (_build, _connection, _crew, _events, _pool, _loans, _report) = (build, connection, crew, events, pool, loans, report);
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
            var loans = new ConcurrentDictionary<CancellationTokenSource, Guid>();
            FarmCrew crew = await FarmCrew.CallAsync(
                connection, build, settings.Place, hasOwn, say, warn, fail, agent => Gone(loans, agent)).ConfigureAwait(false);
            var pool = RemotePool.Start(connection, new RemotePoolOptions
            {
                Stream = FarmSettings.Work(), Pool = FarmSettings.Pool, MaxTries = 1, GiveUpAfter = FarmSettings.Patience, Report = warn,
            });
            return new FarmHome(build, connection, crew, events, pool, loans, report);
        }
        catch
        {
            await (events?.DisposeAsync() ?? default).ConfigureAwait(false);
            await connection.DisposeAsync().ConfigureAwait(false);
            RemoveToken(build);
            throw;
        }
    }

    /// <summary>Asks for workers: as many as can be of use, but for those that agents have not lent yet. For the main loop.</summary>
    /// <param name="waiting">How many requests wait for a worker.</param>
    public void Want(int waiting)
    {
        while (Volatile.Read(ref _waiting) < Math.Min(waiting, MostWaiting))
        {
            Interlocked.Increment(ref _waiting);
            var node = new FarmNode(string.Create(CultureInfo.InvariantCulture, $"farm {++_number}"));
            _lent.Add(Task.Run(() => BorrowAsync(node)));
        }
    }

    /// <summary>Ends the build at the agents, and hears how their workers ended.</summary>
    /// <param name="reason">As of <see cref="StopWork"/>.</param>
    /// <param name="most">How long they get.</param>
    /// <param name="projects">What was built, and where.</param>
    public async Task<IReadOnlyList<AgentSummary>> EndAsync(string reason, TimeSpan most, IReadOnlyList<ProjectSummary> projects)
    {
        await _ending.CancelAsync().ConfigureAwait(false);
        using var time = new CancellationTokenSource(most);
        AgentSummary[] ends = await Task.WhenAll(_crew.Journals.Select(one => EndAsync(one, reason, projects, time.Token)))
            .ConfigureAwait(false);
        await _cancelled.CancelAsync().ConfigureAwait(false);
        return ends;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _ending.CancelAsync().ConfigureAwait(false);
        await _cancelled.CancelAsync().ConfigureAwait(false);
        await _pool.DisposeAsync().ConfigureAwait(false);
        await Task.WhenAll(_lent).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _crew.DisposeAsync().ConfigureAwait(false);
        await _events.DisposeAsync().ConfigureAwait(false);
        await _connection.DisposeAsync().ConfigureAwait(false);
        RemoveToken(_build);
    }

    /// <summary>Ends the loans of an agent that gives no sign any more.</summary>
    private static void Gone(ConcurrentDictionary<CancellationTokenSource, Guid> loans, Guid agent)
    {
        foreach ((CancellationTokenSource loan, Guid lender) in loans)
        {
            if (lender == agent && loans.TryRemove(loan, out _))
            {
                try
                {
                    loan.Cancel();
                }
                catch (ObjectDisposedException)
                {
                    // It has just ended.
                }
            }
        }
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

    /// <summary>Sees one loan through. If there was news of its begin, there is one of its end, and none behind that.</summary>
    private async Task BorrowAsync(FarmNode node)
    {
        string id = Guid.NewGuid().ToString("N");
        FarmLoanBegin? begun = null;
        int isWaiting = 1;
        FarmPost? post = null;
        (string Who, IReadOnlyList<string> Details) end;
        using var vain = CancellationTokenSource.CreateLinkedTokenSource(_cancelled.Token);
        try
        {
            using CancellationTokenRegistration ending = _ending.Token.Register(() =>
            {
                if (Volatile.Read(ref begun) is null)
                {
                    vain.Cancel();   // nobody has lent it, and nobody needs it any more
                }
            });
            post = await FarmPost.OpenAsync(_connection, id, isHome: true, TakeAsync, Fail).ConfigureAwait(false);
            FarmLoanEnd said = await _pool.RequestAsync(new FarmLoan(_build, id), cancellationToken: vain.Token).ConfigureAwait(false);
            if (said.Refusal is { } refusal)
            {
                Fail(new HarnessException(refusal + "."));
            }

            end = (said.Who ?? "it was given back", said.Details ?? []);
        }
        catch (TransportException e)
        {
            end = (Volatile.Read(ref begun) is not null && e.InnerException is FleetException { Fault: FleetFault.TriedTooOften }
                ? GaveNoSign() : e.Message, []);
        }
        catch (OperationCanceledException)
        {
            end = (_cancelled.IsCancellationRequested ? "it was cancelled" : GaveNoSign(), []);
        }
        catch (NatsException e)
        {
            end = (e.Message, []);
        }

        // First the letters: what comes of one behind the end would be of a worker that nobody has.
        await (post?.DisposeAsync() ?? default).ConfigureAwait(false);
        _loans.TryRemove(vain, out _);
        NotWaiting();
        End(end.Who, end.Details);

        string GaveNoSign() => $"agent {AgentSite.AgentOf(node.Where)} gave no sign any more";

        void Fail(Exception e) => _report(new FleetNews.Failed(ExceptionDispatchInfo.Capture(e)));

        async Task TakeAsync(FarmLetter letter)
        {
            if (letter.Type == FarmLoanBegin.PacketType.Id)
            {
                FarmLoanBegin by = FarmPost.Read(FarmLoanBegin.PacketType, letter);
                node.At(_events.NameOf(by.Journal, by.Node), post!);
                Volatile.Write(ref begun, by);
                _crew.Note(by);
                _loans[vain] = by.Agent;
                Interlocked.Exchange(ref _vain, 0);
                NotWaiting();
                _report(new FleetNews.Ready(node));
            }
            else if (letter.Type == ProjectEvaluated.PacketType.Id)
            {
                _report(new FleetNews.Evaluated(node, FarmPost.Read(ProjectEvaluated.PacketType, letter)));
            }
            else if (letter.Type == AskProject.PacketType.Id)
            {
                _report(new FleetNews.Asked(node, FarmPost.Read(AskProject.PacketType, letter)));
            }
            else if (letter.Type == ProjectStandsStill.PacketType.Id)
            {
                _report(new FleetNews.StandsStill(node, FarmPost.Read(ProjectStandsStill.PacketType, letter)));
            }
            else if (letter.Type == ProjectBuilt.PacketType.Id)
            {
                if (!await _events.WaitAsync(begun!.Journal, begun.Node, letter.Events, _cancelled.Token).ConfigureAwait(false))
                {
                    throw new HarnessException($"Events of {node.Where} are lost on their way, so that nobody knows what it has done.");
                }

                _report(new FleetNews.Built(node, FarmPost.Read(ProjectBuilt.PacketType, letter)));
            }
        }

        void End(string who, IReadOnlyList<string> details)
        {
            if (Volatile.Read(ref begun) is not null)
            {
                _report(new FleetNews.Lost(node, who, details));
            }
            else if (_ending.IsCancellationRequested)
            {
                // Nobody needs it any more.
            }
            else if (Interlocked.Increment(ref _vain) >= MostVain)
            {
                _report(new FleetNews.Failed(ExceptionDispatchInfo.Capture(new HarnessException(
                    $"{MostVain} times in a row no worker could be borrowed; the last time: {who}"))));
            }
            else
            {
                _report(new FleetNews.Vain());
            }
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
        FarmLoanBegin one, string reason, IReadOnlyList<ProjectSummary> projects, CancellationToken time)
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
}
