using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;

namespace Transport.Nats;

/// <summary>What agents say to this process: one flow takes it, and gives it to the requests that wait.</summary>
/// <param name="connection">The connection.</param>
/// <param name="options">The pool's options.</param>
/// <param name="id">This caller's id.</param>
internal sealed class CallerInbox(INatsConnection connection, RemotePoolOptions options, Guid id) : IAsyncDisposable
{
    private const int MostUnread = 65_536;

    private readonly ConcurrentDictionary<Guid, RemoteRequest> _waiting = new();
    private readonly CancellationTokenSource _ended = new();
    private Task? _listening;   // of the pool's one flow
    private long _retried;      // by Interlocked, raised by the listening flow, read by anybody; so is the next
    private long _late;         // by Interlocked, as above

    /// <summary>Gets the requests that wait.</summary>
    public ICollection<RemoteRequest> Waiting => _waiting.Values;

    /// <summary>Gets how often a request was begun once more.</summary>
    public long Retried => Interlocked.Read(ref _retried);

    /// <summary>Gets how many answers nobody waited for.</summary>
    public long Late => Interlocked.Read(ref _late);

    /// <summary>Adds a request, before it is queued.</summary>
    public void Add(RemoteRequest request) => _waiting[request.Item.Id] = request;

    /// <summary>Forgets a request: from now on agents hear that it is not wanted.</summary>
    public void Remove(RemoteRequest request) => _waiting.TryRemove(request.Item.Id, out _);

    /// <summary>Listens, from the first call on; the connection subscribes anew by itself.</summary>
    public async Task ListenAsync()
    {
        if (_listening is not null)
        {
            return;
        }

        INatsSub<NatsMemoryOwner<byte>> news = await connection.SubscribeCoreAsync<NatsMemoryOwner<byte>>(
            WorkStream.CallerOf(options.Stream, id),
            opts: new NatsSubOpts { ChannelOpts = new NatsSubChannelOpts { Capacity = MostUnread } },
            cancellationToken: _ended.Token).ConfigureAwait(false);   // its token is for as long as it listens
        _listening = Task.Run(() => TakeAsync(news), CancellationToken.None);
    }

    /// <summary>Ends all that wait.</summary>
    public void FailAll(Exception why)
    {
        foreach (RemoteRequest request in _waiting.Values)
        {
            request.Fail(why);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        await (_listening ?? Task.CompletedTask).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _ended.Dispose();
    }

    private async Task TakeAsync(INatsSub<NatsMemoryOwner<byte>> all)
    {
        await using (all.ConfigureAwait(false))
        {
            await foreach (NatsMsg<NatsMemoryOwner<byte>> one in all.Msgs.ReadAllAsync(_ended.Token).ConfigureAwait(false))
            {
                try
                {
                    await TakeAsync(one).ConfigureAwait(false);
                }
                catch (TransportException e)
                {
                    options.Report?.Invoke($"a message to this caller is none of an agent's: {e.Message}");
                }
                catch (Exception e) when (e is NatsException or TimeoutException)
                {
                    // The reply could not be sent: the agent asks again.
                }
            }
        }
    }

    private async ValueTask TakeAsync(NatsMsg<NatsMemoryOwner<byte>> message)
    {
        using NatsMemoryOwner<byte> data = message.Data;
        WorkNews news = WorkNews.Read(data.Span);
        if (news.ItsVersion != WorkItem.Version)
        {
            options.Report?.Invoke(string.Create(CultureInfo.InvariantCulture,
                $"an agent speaks version {news.ItsVersion} of the messages of work, and this caller {WorkItem.Version}: "
                    + $"update the older"));
            return;
        }

        switch (news.Kind)
        {
            case WorkNewsKind.Begun:
                bool mayGoOn = _waiting.TryGetValue(news.Id, out RemoteRequest? begun) && begun.Begin(news);
                if (mayGoOn && begun!.Tries > 1)
                {
                    Interlocked.Increment(ref _retried);
                }

                await SayAsync(message, news, mayGoOn ? WorkReply.Yes : WorkReply.Unwanted).ConfigureAwait(false);
                break;
            case WorkNewsKind.Progress when _waiting.TryGetValue(news.Id, out RemoteRequest? reported):
                reported.Report(news.Body);
                break;
            case WorkNewsKind.Answer:
                await SayAsync(message, news, Take(news)).ConfigureAwait(false);
                break;
            case WorkNewsKind.Has when message.ReplyTo is not null:
                byte[] unwanted = WorkNews.BodyOf([.. WorkNews.IdsOf(news.Body).Where(one => !_waiting.ContainsKey(one))]);
                await message.ReplyAsync(unwanted).ConfigureAwait(false);
                break;
        }
    }

    private WorkReply Take(WorkNews news)
    {
        if (_waiting.TryGetValue(news.Id, out RemoteRequest? answered) && !answered.Answer.IsCompleted)
        {
            return answered.Take(news);
        }

        if (news.Part == news.Parts - 1)
        {
            Interlocked.Increment(ref _late);
        }

        return WorkReply.Unwanted;
    }

    /// <summary>Answers an agent that asks; one that only tells hears of what is not wanted.</summary>
    private async ValueTask SayAsync(NatsMsg<NatsMemoryOwner<byte>> message, WorkNews news, WorkReply reply)
    {
        if (message.ReplyTo is not null)
        {
            await message.ReplyAsync(new[] { (byte)reply }).ConfigureAwait(false);
        }
        else if (reply == WorkReply.Unwanted && news.Kind == WorkNewsKind.Begun)
        {
            await CancelAsync(news.Agent, news.Id).ConfigureAwait(false);
        }
    }

    /// <summary>Tells an agent that nobody wants a request any more.</summary>
    public ValueTask CancelAsync(Guid agent, Guid request) => connection.PublishAsync(
        WorkStream.AgentOf(options.Stream, agent), new WorkNews { Kind = WorkNewsKind.Cancel, Id = request }.ToBytes());
}
