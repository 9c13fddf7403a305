using System;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;

namespace Transport.Nats;

/// <summary>Puts a caller's requests into the work queue, as soon as there is a server that takes them, and sees to it that they stay there
/// until an agent has them.</summary>
internal sealed class RequestQueue : IDisposable
{
    private readonly INatsConnection _connection;
    private readonly RemotePoolOptions _options;
    private readonly CallerInbox _inbox;
    private readonly Reconnections _reconnections;
    private readonly Signal _opened = new();
    private readonly Signal _lost = new();
    private volatile WorkStream? _stream;   // while the connection is the same
    private bool _isUntaken;                // no agent begins anything, and that was reported; of the one flow

    /// <summary>Initializes a new instance of the <see cref="RequestQueue"/> class.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="options">The pool's options.</param>
    /// <param name="inbox">The requests that wait.</param>
    public RequestQueue(INatsConnection connection, RemotePoolOptions options, CallerInbox inbox)
    {
        (_connection, _options, _inbox) = (connection, options, inbox);
        Server = new ServerState(options.Report, "requests are taken again", options.TimeProvider);
        _reconnections = new Reconnections(connection, Server);
    }

    /// <summary>Gets whether the server can be used.</summary>
    public ServerState Server { get; }

    /// <summary>Keeps the queue open.</summary>
    /// <exception cref="FleetException">No server could be used for <see cref="RemotePoolOptions.GiveUpAfter"/>.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public Task RunAsync(CancellationToken cancellationToken)
    {
        int attempt = 0;
        return Tries.RunAsync(
            () => ServeAsync(attempt++, cancellationToken), Server, _reconnections, _options.GiveUpAfter, _options.TimeProvider,
            cancellationToken);
    }

    /// <summary>Queues a request, for as long as it takes and somebody waits for its answer.</summary>
    /// <param name="request">The request. It fails if the server can never take it.</param>
    /// <returns>A task that never fails.</returns>
    public async Task AddAsync(RemoteRequest request)
    {
        byte[] message = request.Item.ToBytes();
        var opts = new NatsJSPubOpts { MsgId = request.NewMessageId() };
        TimeSpan pause = Tries.LeastPause;
        while (!request.Answer.IsCompleted)
        {
            Task opened = _opened.Next;
            if (_stream is { } stream && await TryAddAsync(stream, request, message, opts).ConfigureAwait(false))
            {
                break;
            }

            _ = await Delay.InTimeAsync(opened, _options.TimeProvider, pause, CancellationToken.None).ConfigureAwait(false);
            pause = Tries.After(pause);
        }

        if (request.IsGivenUp)
        {
            await RemoveAsync(request).ConfigureAwait(false);   // it was queued behind that
        }
    }

    /// <summary>Takes a request out of the queue that nobody wants any more, if it is still there.</summary>
    public async Task RemoveAsync(RemoteRequest request)
    {
        try
        {
            if (_stream is { } stream && request.Sequence > 0)
            {
                _ = await stream.Queue.DeleteMessageAsync(new StreamMsgDeleteRequest { Seq = request.Sequence, NoErase = true })
                    .ConfigureAwait(false);
            }

            foreach (Guid agent in request.OtherAgents)
            {
                await _inbox.CancelAsync(agent, request.Item.Id).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is NatsException or TimeoutException or OperationCanceledException)
        {
            // An agent that begins it hears that it is not wanted.
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _reconnections.Dispose();

    /// <summary>Tries to queue a request.</summary>
    /// <returns>Whether it is queued, or never can be.</returns>
    private async Task<bool> TryAddAsync(WorkStream stream, RemoteRequest request, byte[] message, NatsJSPubOpts opts)
    {
        if (message.Length > stream.MostBytes)
        {
            request.Fail(new TransportException(TransportFault.PacketTooLarge,
                $"{request.Item.Name} has {request.Item.Body.Length} bytes, and a message of the server {stream.MostBytes} at most: raise "
                    + "its max_payload, or ask with the name of a file."));
            return true;
        }

        try
        {
            PubAckResponse taken = await stream.JetStream.PublishAsync(
                WorkStream.QueueOf(_options.Stream, _options.Pool), message, opts: opts).ConfigureAwait(false);
            if (taken.Error is null)
            {
                request.Sequence = taken.Seq;
                Server.Works();
                return true;
            }

            Server.Fails($"The stream {_options.Stream.Name} takes no request: {taken.Error.Description}.");
        }
        catch (Exception e) when (e is NatsException or TimeoutException or OperationCanceledException)
        {
            Server.Fails($"A request could not be queued: {FleetConnection.Because(e)}.");
            _lost.Raise();   // the stream itself may be gone
        }

        return false;
    }

    private async Task<bool> ServeAsync(int attempt, CancellationToken cancellationToken)
    {
        WorkStream stream = await WorkStream.OpenAsync(_connection, _options.Stream, cancellationToken).ConfigureAwait(false);
        return await _reconnections.RunAsync(
            async same =>
            {
                Task lost = _lost.Next;
                await _inbox.ListenAsync().ConfigureAwait(false);
                Server.Works();
                _stream = stream;
                _opened.Raise();
                try
                {
                    if (attempt > 0)
                    {
                        await CheckAsync(stream, same).ConfigureAwait(false);
                    }

                    while (!await Delay.InTimeAsync(lost, _options.TimeProvider, _options.Patience / 3, same).ConfigureAwait(false))
                    {
                        same.ThrowIfCancellationRequested();
                        LookForAgents();
                    }

                    return false;
                }
                finally
                {
                    _stream = null;
                }
            },
            cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Queues once more what is not in the queue any more: a server whose data was rolled back has forgotten it, or an agent took
    /// this caller for gone.</summary>
    private async Task CheckAsync(WorkStream stream, CancellationToken cancellationToken)
    {
        foreach (RemoteRequest request in _inbox.Waiting.Where(one => one.Sequence > 0))
        {
            bool isThere;
            try
            {
                StreamMsgGetResponse found = await stream.Queue.GetAsync(
                    new StreamMsgGetRequest { Seq = request.Sequence }, cancellationToken).ConfigureAwait(false);
                isThere = IsOf(found, request);
            }
            catch (NatsJSApiException e) when (e.Error.Code == FleetConnection.NotFound)
            {
                isThere = false;
            }
            catch (Exception e) when (e is NatsException or TimeoutException)
            {
                return;   // the next connection is looked at
            }

            if (!isThere && !request.Answer.IsCompleted)
            {
                request.Sequence = 0;
                _ = AddAsync(request);
            }
        }
    }

    private static bool IsOf(StreamMsgGetResponse found, RemoteRequest request)
    {
        try
        {
            return WorkItem.Read(found.Message.Data.Span).Id == request.Item.Id;
        }
        catch (TransportException)
        {
            return false;
        }
    }

    /// <summary>Says once that nobody takes what waits.</summary>
    private void LookForAgents()
    {
        int waiting = _inbox.Waiting.Count(
            one => one.Tries == 0 && _options.TimeProvider.GetElapsedTime(one.Asked) >= _options.Patience);
        if (waiting > 0 && !_isUntaken)
        {
            _options.Report?.Invoke(string.Create(CultureInfo.InvariantCulture,
                $"{waiting} requests wait for {_options.Patience.TotalSeconds:0.#} s and no agent of pool {_options.Pool} has begun one: "
                    + $"does one run?"));
        }

        _isUntaken = waiting > 0;
    }
}
