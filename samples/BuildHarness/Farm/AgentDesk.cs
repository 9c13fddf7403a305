using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Packets;
using NATS.Client.Core;
using Transport;
using Transport.Nats;

namespace BuildHarness.Farm;

/// <summary>An agent's builds: which there are, who begins and ends them, and what home is told. Safe from any thread.</summary>
internal sealed class AgentDesk : IAsyncDisposable
{
    private static readonly TimeSpan Look = TimeSpan.FromSeconds(5), ShipTime = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan LastShipTime = TimeSpan.FromSeconds(1);   // of an agent that is asked to end: 5 s in all
    private static readonly TimeSpan TokenTime = TimeSpan.FromSeconds(3), TokenPause = TimeSpan.FromMilliseconds(100);

    private readonly AgentSite _site;
    private readonly NatsConnection _connection;
    private readonly CancellationTokenSource _ended = new();
    private readonly Lock _gate = new();   // over the next two; while it is held a build is made, and nobody waits
    private readonly Dictionary<string, AgentBuild> _builds = new(StringComparer.Ordinal);
    private AgentBuild? _next;
    private readonly ITimer _looking;
    private Task _listening = Task.CompletedTask;   // of who starts it

    private AgentDesk(AgentSite site, NatsConnection connection)
    {
        (_site, _connection) = (site, connection);
        _next = AgentBuild.Prepare(site);
        _looking = TimeProvider.System.CreateTimer(_ => Tidy(), state: null, Look, Look);
    }

    /// <summary>Opens it.</summary>
    /// <exception cref="HarnessException">No worker can be started.</exception>
    public static async Task<AgentDesk> OpenAsync(AgentSite site, NatsConnection connection)
    {
        var desk = new AgentDesk(site, connection);
        INatsSub<byte[]> calls = await connection.SubscribeCoreAsync<byte[]>(FarmSettings.Call, cancellationToken: desk._ended.Token)
            .ConfigureAwait(false);
        INatsSub<byte[]> ends = await connection.SubscribeCoreAsync<byte[]>(
            FarmSettings.EndOf(site.Id), cancellationToken: desk._ended.Token).ConfigureAwait(false);
        desk._listening = Task.WhenAll(desk.ListenAsync(calls, desk.AnswerCallAsync), desk.ListenAsync(ends, desk.AnswerEndAsync));
        return desk;
    }

    /// <summary>Lends a worker; the handler of requests.</summary>
    public async Task<FarmLoanEnd> LendAsync(FarmLoan loan, PacketContext context)
    {
        if (await RefusalAsync(loan.Build).ConfigureAwait(false) is { } refusal)
        {
            return new FarmLoanEnd(refusal);
        }

        AgentBuild build = Of(loan.Build);
        FarmLoanEnd end = await build.LendAsync(loan.Id, context.CancellationToken).ConfigureAwait(false);
        build.See();
        return end;
    }

    /// <summary>Kills all workers at once.</summary>
    public void KillAll()
    {
        foreach (AgentBuild build in All())
        {
            build.KillAll();
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _looking.DisposeAsync().ConfigureAwait(false);
        await _ended.CancelAsync().ConfigureAwait(false);
        await _listening.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        AgentBuild[] all = All();
        await Task.WhenAll(all.Select(build => build.CloseAsync(StopWork.Interrupted, LastShipTime))).ConfigureAwait(false);
        _ended.Dispose();
    }

    private AgentBuild? Find(string build)
    {
        lock (_gate)
        {
            return _builds.GetValueOrDefault(build);
        }
    }

    private AgentBuild[] All()
    {
        lock (_gate)
        {
            return _next is null ? [.. _builds.Values] : [.. _builds.Values, _next];
        }
    }

    /// <summary>Returns what there is of a build; the first call of a build begins it.</summary>
    private AgentBuild Of(FarmBuild build)
    {
        lock (_gate)
        {
            if (_builds.TryGetValue(build.Id, out AgentBuild? known))
            {
                known.See();
                return known;
            }

            AgentBuild begun = _next ?? AgentBuild.Prepare(_site);
            _next = null;
            begun.Begin(build, _connection);
            _builds.Add(build.Id, begun);
            return begun;
        }
    }

    /// <summary>Looks whether a build can be built here: once, until it has begun.</summary>
    /// <returns>Why not; null: it can.</returns>
    private async Task<string?> RefusalAsync(FarmBuild build)
    {
        if (Find(build.Id) is not null)
        {
            return null;
        }

        if (build.Sdk != _site.Sdk)
        {
            return $"agent {_site.Name} has .NET SDK {_site.Sdk}, and home has {build.Sdk}: install the same on both";
        }

        // A file that has just been made on a share may take a moment to appear.
        using var time = new CancellationTokenSource(TokenTime);
        while (!await SeesAsync(build, time.Token).ConfigureAwait(false))
        {
            if (time.IsCancellationRequested)
            {
                return $"agent {_site.Name} does not see {build.TokenPath}: what is built must be on a file system that all machines see "
                    + "at the same path";
            }

            await Task.Delay(TokenPause, CancellationToken.None).ConfigureAwait(false);
        }

        return null;
    }

    private static async Task<bool> SeesAsync(FarmBuild build, CancellationToken cancellationToken)
    {
        try
        {
            return await File.ReadAllTextAsync(build.TokenPath, cancellationToken).ConfigureAwait(false) == build.Token;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or OperationCanceledException or ArgumentException
            or NotSupportedException)
        {
            return false;
        }
    }

    private async Task<byte[]?> AnswerCallAsync(byte[]? message)
    {
        if (FarmSettings.Read(FarmCall.PacketType, message) is not { } call)
        {
            return null;
        }

        Find(call.Build.Id)?.See();
        return FarmSettings.Bytes(FarmAnswer.PacketType, new FarmAnswer(
            _site.Id, _site.Name, _site.Workers, await RefusalAsync(call.Build).ConfigureAwait(false)));
    }

    private async Task<byte[]?> AnswerEndAsync(byte[]? message)
    {
        if (FarmSettings.Read(FarmBuildEnd.PacketType, message) is not { } end)
        {
            return null;
        }

        if (Find(end.Build) is not { } build)
        {
            return FarmSettings.Bytes(FarmReport.PacketType, new FarmReport(Journal: null, "[]"));
        }

        FarmReport report = await build.EndAsync(end.Reason).ConfigureAwait(false);
        _ = build.CloseAsync(end.Reason, ShipTime);   // its report stays until it is forgotten
        Tidy();
        return FarmSettings.Bytes(FarmReport.PacketType, report);
    }

    /// <summary>Answers what comes, each message by itself: one that takes long keeps no other waiting.</summary>
    private async Task ListenAsync(INatsSub<byte[]> messages, Func<byte[]?, Task<byte[]?>> answer)
    {
        await using (messages.ConfigureAwait(false))
        {
            await foreach (NatsMsg<byte[]> message in messages.Msgs.ReadAllAsync(_ended.Token).ConfigureAwait(false))
            {
                _ = AnswerAsync(message);
            }
        }

        async Task AnswerAsync(NatsMsg<byte[]> message)
        {
            try
            {
                if (await answer(message.Data).ConfigureAwait(false) is { } reply && message.ReplyTo is not null)
                {
                    await message.ReplyAsync(reply, cancellationToken: _ended.Token).ConfigureAwait(false);
                }
            }
            catch (Exception e) when (e is NatsException or OperationCanceledException)
            {
                // Home asks again.
            }
        }
    }

    /// <summary>Ends builds of which nobody has said anything for long: their homes are gone, or have all they want. Gets ready for the
    /// next.</summary>
    private void Tidy()
    {
        AgentBuild[] forgotten;
        lock (_gate)
        {
            forgotten = [.. _builds.Values.Where(build => build.IsForgotten)];
            foreach (AgentBuild build in forgotten)
            {
                _builds.Remove(build.Build!.Id);
            }

            try
            {
                _next ??= _ended.IsCancellationRequested || _builds.Values.Any(build => !build.IsEnding) ? null : AgentBuild.Prepare(_site);
            }
            catch (HarnessException e)
            {
                _site.Say(e.Message);
            }
        }

        foreach (AgentBuild build in forgotten)
        {
            _ = build.CloseAsync(StopWork.GivenUp, ShipTime);
        }
    }
}
