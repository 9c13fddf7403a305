using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;

namespace Transport.Nats;

/// <summary>What an agent knows of the callers whose requests it has: whether they are still there, and what they want. Safe for any
/// thread.</summary>
/// <param name="connection">The connection.</param>
/// <param name="options">The agent's options.</param>
/// <param name="agent">The agent's id.</param>
internal sealed class Callers(INatsConnection connection, AgentOptions options, Guid agent)
{
    private static readonly TimeSpan ReplyTime = TimeSpan.FromSeconds(2), Pause = TimeSpan.FromMilliseconds(200),
        AtOnce = TimeSpan.FromMilliseconds(20);

    private readonly ConcurrentDictionary<Guid, Caller> _callers = new();

    /// <summary>Gets how often callers are looked after.</summary>
    private TimeSpan Every => options.CallerPatience / 6 < ReplyTime ? options.CallerPatience / 6 : ReplyTime;

    /// <summary>Asks a caller whether the agent may begin its request. A caller that was there a moment ago is not asked: it hears of it
    /// if the request is not answered at once.</summary>
    /// <returns>Whether the request may go on: its caller is there and wants it.</returns>
    /// <exception cref="OperationCanceledException">The work was cancelled.</exception>
    public async Task<bool> BeginAsync(RunningWork work)
    {
        if (!work.IsRepeated && Of(work.Item.Caller).IsFresh(options.TimeProvider, Every * 2))
        {
            return true;
        }

        work.IsTold = true;
        return await SayAsync(work, [NewsOf(WorkNewsKind.Begun, work.Item.Id)]).ConfigureAwait(false) == WorkReply.Yes;
    }

    /// <summary>Tells a caller of a request that takes longer that the agent has it, if it was not asked.</summary>
    /// <param name="work">The request.</param>
    /// <param name="answer">Its answer.</param>
    public async Task<T> TellLateAsync<T>(RunningWork work, Task<T> answer)
    {
        if (!work.IsTold && !await Delay.InTimeAsync(answer, options.TimeProvider, AtOnce).ConfigureAwait(false))
        {
            await TellAsync(work.Item.Caller, NewsOf(WorkNewsKind.Begun, work.Item.Id)).ConfigureAwait(false);
        }

        return await answer.ConfigureAwait(false);
    }

    /// <summary>Sends an answer until its caller has taken it.</summary>
    /// <param name="work">The request.</param>
    /// <param name="outcome">The answer.</param>
    /// <param name="mostBytes">The bytes that a message may have.</param>
    /// <returns>Whether it was taken; otherwise nobody wants it.</returns>
    /// <exception cref="OperationCanceledException">The work was cancelled.</exception>
    public async Task<bool> AnswerAsync(RunningWork work, WorkOutcome outcome, int mostBytes)
    {
        int most = Math.Max(mostBytes - 512 - ((outcome.Message.Length + (outcome.Report?.Length ?? 0)) * 3), 512);
        int parts = Math.Max((outcome.Body.Length + most - 1) / most, 1);
        var news = new WorkNews[parts];
        for (int i = 0; i < parts; i++)
        {
            news[i] = NewsOf(WorkNewsKind.Answer, work.Item.Id) with
            {
                Part = i,
                Parts = parts,
                Outcome = i == 0 ? outcome : null,
                Body = parts == 1 ? outcome.Body
                    : outcome.Body.AsSpan(i * most, Math.Min(most, outcome.Body.Length - (i * most))).ToArray(),
            };
        }

        return await SayAsync(work, news).ConfigureAwait(false) == WorkReply.Yes;
    }

    /// <summary>Sends a report, and does not wait for that.</summary>
    public void Report(RunningWork work, byte[] report) =>
        _ = TellAsync(work.Item.Caller, NewsOf(WorkNewsKind.Progress, work.Item.Id) with { Body = report });

    /// <summary>Asks the callers, again and again, what of all that the agent has they still want.</summary>
    /// <param name="running">Gives what the agent has.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <returns>A task that never fails.</returns>
    public async Task WatchAsync(Func<IEnumerable<RunningWork>> running, CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            using (var delay = new Delay(options.TimeProvider, Every, cancellationToken))
            {
                await delay.Task.ConfigureAwait(false);
            }

            await Task.WhenAll(running().GroupBy(work => work.Item.Caller).Select(all => LookAfterAsync(all.Key, [.. all])))
                .ConfigureAwait(false);
            foreach ((Guid id, Caller caller) in _callers)
            {
                if (!caller.IsFresh(options.TimeProvider, options.CallerPatience * 10))
                {
                    _callers.TryRemove(id, out _);
                }
            }
        }
    }

    private Caller Of(Guid id) => _callers.GetOrAdd(id, _ => new Caller());

    private WorkNews NewsOf(WorkNewsKind kind, Guid id) => new() { Kind = kind, Id = id, Agent = agent, Name = options.Name };

    /// <summary>Says something to a caller, in parts, until it replies to the last, or is gone.</summary>
    private async Task<WorkReply> SayAsync(RunningWork work, WorkNews[] parts)
    {
        Caller caller = Of(work.Item.Caller);
        long since = options.TimeProvider.GetTimestamp();
        while (true)
        {
            work.Cancelled.ThrowIfCancellationRequested();
            foreach (WorkNews part in parts.SkipLast(1))
            {
                await TellAsync(work.Item.Caller, part).ConfigureAwait(false);
            }

            if (await AskAsync(work.Item.Caller, parts[^1], work.Cancelled).ConfigureAwait(false) is [var reply, ..])
            {
                caller.Seen(options.TimeProvider);
                if ((WorkReply)reply != WorkReply.Again)
                {
                    return (WorkReply)reply;
                }
            }
            else if (caller.IsGone || options.TimeProvider.GetElapsedTime(since) > options.CallerPatience)
            {
                Gone(caller, work.Item);
                return WorkReply.Unwanted;
            }

            using var pause = new Delay(options.TimeProvider, Pause, work.Cancelled);
            await pause.Task.ConfigureAwait(false);
        }
    }

    private async Task LookAfterAsync(Guid id, RunningWork[] all)
    {
        Caller caller = Of(id);
        WorkNews has = NewsOf(WorkNewsKind.Has, Guid.Empty) with { Body = WorkNews.BodyOf([.. all.Select(work => work.Item.Id)]) };
        if (await AskAsync(id, has, CancellationToken.None).ConfigureAwait(false) is { } reply)
        {
            caller.Seen(options.TimeProvider);
            HashSet<Guid> unwanted = Unwanted(reply);
            foreach (RunningWork work in all.Where(work => unwanted.Contains(work.Item.Id)))
            {
                work.NotWanted();
            }
        }
        else if (!caller.IsFresh(options.TimeProvider, options.CallerPatience))
        {
            Gone(caller, all[0].Item);
            foreach (RunningWork work in all)
            {
                work.NotWanted();
            }
        }
    }

    private static HashSet<Guid> Unwanted(byte[] reply)
    {
        try
        {
            return [.. WorkNews.IdsOf(reply)];
        }
        catch (TransportException)
        {
            return [];   // of no caller of ours
        }
    }

    private void Gone(Caller caller, WorkItem item)
    {
        if (caller.TryGone())
        {
            options.Report?.Invoke(string.Create(CultureInfo.InvariantCulture,
                $"the caller of {item.Name} has given no sign for {options.CallerPatience.TotalSeconds:0.#} s: "
                    + $"its requests are cancelled"));
        }
    }

    /// <returns>The reply; null: there was none.</returns>
    private async Task<byte[]?> AskAsync(Guid caller, WorkNews news, CancellationToken cancellationToken)
    {
        try
        {
            NatsMsg<byte[]> reply = await connection.RequestAsync<byte[], byte[]>(
                WorkStream.CallerOf(options.Stream, caller), news.ToBytes(), replyOpts: new NatsSubOpts { Timeout = ReplyTime },
                cancellationToken: cancellationToken).ConfigureAwait(false);
            return reply.Data ?? [];
        }
        catch (Exception e) when (e is NatsException or TimeoutException or OperationCanceledException)
        {
            return null;
        }
    }

    private async Task TellAsync(Guid caller, WorkNews news)
    {
        try
        {
            await connection.PublishAsync(WorkStream.CallerOf(options.Stream, caller), news.ToBytes()).ConfigureAwait(false);
        }
        catch (Exception e) when (e is NatsException or TimeoutException or OperationCanceledException)
        {
            // It is asked what it wants again and again; what was begun is only for people.
        }
    }

    /// <summary>One caller.</summary>
    private sealed class Caller
    {
        private long _seen = -1;   // by Volatile, as the clock's timestamp; -1: never
        private int _isGone;       // by Interlocked

        public bool IsGone => Volatile.Read(ref _isGone) != 0;

        public void Seen(TimeProvider clock)
        {
            Volatile.Write(ref _seen, clock.GetTimestamp());
            Volatile.Write(ref _isGone, 0);
        }

        public bool IsFresh(TimeProvider clock, TimeSpan age) =>
            Volatile.Read(ref _seen) is >= 0 and var seen && clock.GetElapsedTime(seen) < age;

        /// <returns>Whether that is news.</returns>
        public bool TryGone() => Interlocked.Exchange(ref _isGone, 1) == 0;
    }
}
