using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Packets;
using NATS.Client.Core;
using Transport.Terminal;

namespace BuildHarness.Farm;

/// <summary>The agents of a build: asks again and again who is there, says who has come, and ends the build if one cannot build it or none
/// is there. Safe from any thread.</summary>
internal sealed class FarmCrew : IAsyncDisposable
{
    /// <summary>An agent that has answered none of so many calls is gone.</summary>
    private const int MostUnanswered = 4;

    private static readonly TimeSpan FirstWait = TimeSpan.FromSeconds(1), WarnAfter = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan PingTime = TimeSpan.FromSeconds(3);

    private readonly NatsConnection _connection;
    private readonly FarmBuild _build;
    private readonly string _url;
    private readonly bool _hasOwn;
    private readonly Action<string> _say, _warn;
    private readonly Action<HarnessException> _fail;
    private readonly INatsSub<byte[]> _answers;
    private readonly string _inbox;
    private readonly CancellationTokenSource _ended = new();
    private readonly ConcurrentDictionary<Guid, FarmAnswer> _agents = new();
    private readonly ConcurrentDictionary<Guid, int> _unanswered = new();   // calls since an agent's last answer
    private readonly Action<Guid> _gone;
    private readonly ConcurrentDictionary<Guid, FarmLoanBegin> _journals = new();
    private readonly Task _calling, _hearing;
    private long _heard = Stopwatch.GetTimestamp();   // by Volatile: when an agent has answered last, set by the hearing flow
    private bool _isWarned;   // of the calling flow alone

    private FarmCrew(
        NatsConnection connection, FarmBuild build, string url, bool hasOwn, Action<string> say, Action<string> warn,
        Action<HarnessException> fail, Action<Guid> gone, INatsSub<byte[]> answers, string inbox)
    {
        _gone = gone;
        (_connection, _build, _url, _hasOwn) = (connection, build, url, hasOwn);
        (_say, _warn, _fail, _answers, _inbox) = (say, warn, fail, answers, inbox);
        _hearing = Task.Run(HearAsync);
        _calling = Task.Run(async () =>
        {
            try
            {
                await CallAsync().ConfigureAwait(false);
            }
            catch (Exception e) when (e is not OperationCanceledException)
            {
                fail(new HarnessException($"The agents cannot be called any more: {e.Message}"));
            }
        });
    }

    /// <summary>Gets who has lent a worker to the build: one of each agent's journals.</summary>
    public IReadOnlyCollection<FarmLoanBegin> Journals => [.. _journals.Values];

    /// <summary>Starts to call.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="build">The build.</param>
    /// <param name="url">Where the farm is, for people.</param>
    /// <param name="hasOwn">There are workers without agents.</param>
    /// <param name="say">Takes a line for people.</param>
    /// <param name="warn">Takes a line that somebody must see.</param>
    /// <param name="fail">Called if an agent cannot build this, or none is there.</param>
    /// <param name="gone">Called if an agent gives no sign any more while the server does.</param>
    public static async Task<FarmCrew> CallAsync(
        NatsConnection connection, FarmBuild build, string url, bool hasOwn, Action<string> say, Action<string> warn,
        Action<HarnessException> fail, Action<Guid> gone)
    {
        string inbox = connection.NewInbox();
        INatsSub<byte[]> answers = await connection.SubscribeCoreAsync<byte[]>(inbox, cancellationToken: CancellationToken.None)
            .ConfigureAwait(false);
        return new FarmCrew(connection, build, url, hasOwn, say, warn, fail, gone, answers, inbox);
    }

    /// <summary>Notes who has lent a worker.</summary>
    public void Note(FarmLoanBegin begun) => _journals.TryAdd(begun.Journal, begun);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        await _answers.DisposeAsync().ConfigureAwait(false);
        await Task.WhenAll(_calling, _hearing).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _ended.Dispose();
    }

    private async Task CallAsync()
    {
        byte[] call = FarmSettings.Bytes(FarmCall.PacketType, new FarmCall(_build));
        TimeSpan pause = FirstWait;
        while (!_ended.IsCancellationRequested)
        {
            try
            {
                await _connection.PublishAsync(FarmSettings.Call, call, replyTo: _inbox, cancellationToken: _ended.Token)
                    .ConfigureAwait(false);

                // Behind the call: while the server is away no agent can answer, and that says nothing of it.
                await _connection.PingAsync(_ended.Token).AsTask().WaitAsync(PingTime, _ended.Token).ConfigureAwait(false);
                CountUnanswered();
            }
            catch (Exception e) when (e is NatsException or TimeoutException)
            {
                // Asked again; the pool says that the server is away.
            }

            await Task.Delay(pause, _ended.Token).ConfigureAwait(false);
            pause = _agents.IsEmpty ? FirstWait : FarmSettings.CallEvery;
            LookForNobody();
        }
    }

    /// <summary>Notes that each agent has been asked, and which of them has not answered for long.</summary>
    private void CountUnanswered()
    {
        foreach (Guid agent in _agents.Keys)
        {
            if (_unanswered.AddOrUpdate(agent, 1, static (_, calls) => calls + 1) == MostUnanswered)
            {
                _gone(agent);
            }
        }
    }

    private void LookForNobody()
    {
        TimeSpan since = Stopwatch.GetElapsedTime(Volatile.Read(ref _heard));
        if (since < WarnAfter)
        {
            _isWarned = false;
            return;
        }

        const string Start = "start one on each machine that builds: buildharness agent --nats URL";
        if (!_isWarned)
        {
            _isWarned = true;
            _warn($"no agent {(_agents.IsEmpty ? "has answered" : "answers any more")} at {_url}; {Start}");
        }

        if (since > FarmSettings.Patience && !_hasOwn)
        {
            _fail(new HarnessException($"No agent has answered at {_url} for {FarmSettings.Patience.TotalMinutes:0} minutes; {Start}."));
        }
    }

    private async Task HearAsync()
    {
        await foreach (NatsMsg<byte[]> message in _answers.Msgs.ReadAllAsync(_ended.Token).ConfigureAwait(false))
        {
            if (FarmSettings.Read(FarmAnswer.PacketType, message.Data) is not { } answer)
            {
                continue;
            }

            Volatile.Write(ref _heard, Stopwatch.GetTimestamp());
            _unanswered[answer.Agent] = 0;
            if (answer.Refusal is { } refusal)
            {
                _fail(new HarnessException(refusal + "."));
            }
            else if (_agents.TryAdd(answer.Agent, answer))
            {
                _say($"agent {answer.Name} has {Counted.Of(answer.Workers, "worker")}; "
                    + $"the farm has {Counted.Of(_agents.Values.Sum(one => one.Workers), "worker")}");
            }
        }
    }
}
