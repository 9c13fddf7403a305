using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The requests of one link, both ways. Each ends in a response, a failure, a cancel, a deadline or the link's end, never in
/// silence.</summary>
/// <param name="link">The link.</param>
/// <param name="clock">Its clock.</param>
/// <param name="maxRequests">How many of the peer's may be in work.</param>
/// <param name="window">The bytes of items that may wait to be read, for each request of this side.</param>
/// <param name="counters">The link's counters.</param>
internal sealed class Requests(IRequestLink link, TimeProvider clock, int maxRequests, int window, LinkCounters counters)
{
    /// <summary>The code of a request that never went out: its link was closing or had ended.</summary>
    public const string NotAsked = "not-asked";

    private readonly PeerRequests _peers = new(link, clock, maxRequests, counters);
    // Over the fields below, and over the step that takes a request out of the table and ends it: what is out of it has ended. No caller's
    // code runs inside, its clock included: awaits go on elsewhere.
    private readonly object _lock = new();
    private readonly Dictionary<long, PendingRequest> _asked = [];
    private long _lastId;
    private TransportException? _end;
    private IReadOnlyList<string> _unanswered = [];
    private volatile string? _stopReason;   // set by who asks the peer to stop, read at the end

    /// <summary>Gets or sets what the peer was told when it was asked to stop; null: it was not.</summary>
    public string? StopReason
    {
        get => _stopReason;
        set => _stopReason = value;
    }

    /// <summary>Asks.</summary>
    /// <param name="request">The request's type.</param>
    /// <param name="requestBody">The request, written out.</param>
    /// <param name="response">The response's type.</param>
    /// <param name="timeout">How long to wait; null or infinite: as long as the link lives.</param>
    /// <param name="lane">The lane.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer.</param>
    public async Task<TResponse> AskAsync<TResponse>(
        PacketType request,
        ArrayWriter requestBody,
        PacketType<TResponse> response,
        TimeSpan? timeout,
        Lane lane,
        CancellationToken cancellationToken)
    {
        RequestTrace? trace = RequestTrace.Begin(request, lane);
        Exception? failure = null;
        try
        {
            using PendingRequest asked = Begin(request, ref timeout, lane, items: null, cancellationToken);
            await SendAsync(asked, requestBody, timeout, request).ConfigureAwait(false);
            return Read(response, await asked.Response.ConfigureAwait(false));
        }
        catch (Exception e) when (trace is not null)
        {
            failure = e;
            throw;
        }
        finally
        {
            trace?.End(failure);
        }
    }

    /// <summary>Asks, and passes on what the peer reports before its response; nothing if its version knows no reports.</summary>
    /// <remarks>The reports are passed on one at a time, and all before the task completes.</remarks>
    public async Task<TResponse> AskAsync<TResponse, TProgress>(
        PacketType request,
        ArrayWriter requestBody,
        PacketType<TResponse> response,
        PacketType<TProgress> progressType,
        IProgress<TProgress> progress,
        TimeSpan? timeout,
        Lane lane,
        CancellationToken cancellationToken)
    {
        if (!link.PeerStreams)
        {
            return await AskAsync(request, requestBody, response, timeout, lane, cancellationToken).ConfigureAwait(false);
        }

        byte[]? last = null;
        ConfiguredCancelableAsyncEnumerable<TProgress> reports =
            AskEachAsync(request, requestBody, progressType, bytes => last = bytes, timeout, lane, cancellationToken).ConfigureAwait(false);
        await foreach (TProgress report in reports)
        {
            progress.Report(report);
        }

        return Read(response, last ?? throw new TransportException(
            TransportFault.RequestFailed, $"The peer answers {request} with a stream: ask with RequestStreamAsync."));
    }

    /// <summary>Asks for a stream.</summary>
    public IAsyncEnumerable<TItem> AskEachAsync<TItem>(
        PacketType request,
        ArrayWriter requestBody,
        PacketType<TItem> item,
        TimeSpan? timeout,
        Lane lane,
        CancellationToken cancellationToken) =>
        AskEachAsync(
            request,
            requestBody,
            item,
            last =>
            {
                if (last is not null)
                {
                    throw new TransportException(
                        TransportFault.RequestFailed,
                        $"The peer answers {request} with one response, not a stream: ask with RequestAsync.");
                }
            },
            timeout,
            lane,
            cancellationToken);

    /// <summary>Takes one of the packets of requests; on the receive loop, its body on loan.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>.</exception>
    public void OnPacket(ushort type, Lane lane, ReadOnlyMemory<byte> body)
    {
        switch (type)
        {
            case RequestTypes.Request:
                _peers.OnRequest(body, lane);
                break;
            case RequestTypes.Response:
                OnResponse(body.Span);
                break;
            case RequestTypes.Item:
                OnItem(body.Span);
                break;
            default:
                var reader = new PacketReader(body.Span);
                reader.ReadArrayHeader(type == RequestTypes.Credit ? 2 : 1);
                long id = reader.ReadInt64();
                if (type == RequestTypes.Credit)
                {
                    _peers.OnCredit(id, PeerRequests.ReadCredit(ref reader));
                }
                else
                {
                    _peers.OnCancel(id);
                }

                break;
        }
    }

    /// <summary>Ends whatever is unanswered with the link's own end.</summary>
    /// <param name="cause">How the link ended.</param>
    public void End(LinkCause cause)
    {
        string? stopReason = StopReason;
        bool isStopped = stopReason is not null
            && cause.Fault is TransportFault.PeerGone or TransportFault.Timeout or TransportFault.Aborted;
        var over = isStopped || cause.Fault == TransportFault.None
            ? new TransportException(
                TransportFault.Stopped,
                (isStopped ? "The worker was stopped before the response arrived" : "The link was closed before the response arrived")
                    + InBrackets(isStopped && stopReason!.Length > 0 ? stopReason : cause.Reason) + ".",
                cause.Exception)
            : new TransportException(cause.Fault, $"The link ended before the response arrived: {cause.Reason}", cause.Exception);
        lock (_lock)
        {
            _end ??= over;
            PendingRequest[] unanswered = [.. _asked.Values];
            _asked.Clear();
            _unanswered = [.. _unanswered, .. unanswered.Select(asked => asked.Name)];
            Array.ForEach(unanswered, asked => asked.Fail(over));
        }

        _peers.End();
    }

    /// <summary>Gives up what has waited for a response for so long, and notifies the peer: none can be read.</summary>
    public void GiveUpOlder(TimeSpan age, Func<Exception> why)
    {
        PendingRequest[] old;
        lock (_lock)
        {
            old = [.. _asked.Values.Where(asked => clock.GetElapsedTime(asked.Since) >= age)];
        }

        Array.ForEach(old, asked => GiveUp(asked, why()));
    }

    /// <summary>Gets a value indicating whether a request of this side waits for its response.</summary>
    public bool AreAny
    {
        get
        {
            lock (_lock)
            {
                return _asked.Count > 0;
            }
        }
    }

    /// <summary>Gets the names of the requests of this side to which no response had come when the link ended; none before.</summary>
    public IReadOnlyList<string> Unanswered
    {
        get
        {
            lock (_lock)
            {
                return _unanswered;
            }
        }
    }

    /// <summary>Completes when none of the peer's requests is in work, and each has its response queued.</summary>
    public Task AnsweredAsync() => _peers.AnsweredAsync();

    private static string InBrackets(string text) => text.Length > 0 ? $" ({text.TrimEnd('.')})" : string.Empty;

    private static T Read<T>(PacketType<T> type, byte[]? bytes) => type.Formatter.Read(new ReadOnlySequence<byte>(bytes ?? []));

    /// <summary>Asks, and gives each item as it is read. What is left when the reader stops is given up, and the peer notified.</summary>
    private async IAsyncEnumerable<TItem> AskEachAsync<TItem>(
        PacketType request,
        ArrayWriter requestBody,
        PacketType<TItem> item,
        Action<byte[]?> onResponse,
        TimeSpan? timeout,
        Lane lane,
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (!link.PeerStreams)
        {
            throw new TransportException(TransportFault.RequestFailed,
                $"{request} was not asked: the peer's version knows no streams (the capability `streams`).");
        }

        var items = new ItemBuffer(window);
        PendingRequest asked = Begin(request, ref timeout, lane, items, cancellationToken);
        RequestTrace? trace = RequestTrace.Begin(request, lane);
        bool isWithReader = false;
        try
        {
            await SendAsync(asked, requestBody, timeout, request).ConfigureAwait(false);
            while (await NextAsync(items).ConfigureAwait(false))
            {
                while (items.TryRead(out byte[] bytes))
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    if (asked.Failure is TransportException { Fault: TransportFault.RequestTimeout } late)
                    {
                        throw late;   // not behind what is buffered: the time is the reader's
                    }

                    TItem one = Read(item, bytes);
                    isWithReader = true;
                    yield return one;
                    isWithReader = false;
                    if (items.Release(bytes) is > 0 and var credit)
                    {
                        await GrantAsync(asked, credit, cancellationToken).ConfigureAwait(false);
                    }
                }
            }

            onResponse(await asked.Response.ConfigureAwait(false));
        }
        finally
        {
            // A reader that leaves has what it wanted: the span is no failure, unless the request had failed before.
            asked.Dispose();
            Exception? before = asked.Failure;
            GiveUp(asked, new OperationCanceledException("Its reader has stopped."));
            trace?.End(isWithReader ? before : asked.Failure);
        }
    }

    private ValueTask<bool> NextAsync(ItemBuffer items)
    {
        ValueTask<bool> next = items.WaitAsync();
        return next.IsCompleted ? next : new ValueTask<bool>(link.NoteAsync(next.AsTask()));
    }

    /// <summary>Grants more. A request that is answered meanwhile needs none.</summary>
    private async ValueTask GrantAsync(PendingRequest asked, long credit, CancellationToken cancellationToken)
    {
        if (!asked.Response.IsCompleted)
        {
            await link.SendRawAsync(RequestTypes.Credit, RequestPackets.Credit(asked.Id, credit), Lane.Urgent, cancellationToken)
                .ConfigureAwait(false);
        }
    }

    /// <summary>Notes a request, and what gives it up.</summary>
    private PendingRequest Begin(
        PacketType request, ref TimeSpan? timeout, Lane lane, ItemBuffer? items, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        timeout = timeout == Timeout.InfiniteTimeSpan ? null : timeout;
        PendingRequest asked = Add(lane, request, timeout is { } within ? new Deadline(clock, within) : null, items);
        if (timeout is { } time)
        {
            asked.Limit = new Delay(clock, time);
            _ = asked.Limit.Task.ContinueWith(
                _ => GiveUp(asked, asked.Late()),
                CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default);
        }

        asked.Cancellation = cancellationToken.Register(() => GiveUp(asked, new OperationCanceledException(cancellationToken)));
        return asked;
    }

    private PendingRequest Add(Lane lane, PacketType request, Deadline? deadline, ItemBuffer? items)
    {
        lock (_lock)
        {
            if (_end is not null)
            {
                throw new TransportException(_end.Fault, _end.Message, _end, NotAsked);
            }

            var asked = new PendingRequest(++_lastId, lane, request.ToString(), deadline, items) { Since = clock.GetTimestamp() };
            _asked.Add(asked.Id, asked);
            return asked;
        }
    }

    /// <summary>Finds a request that has not ended.</summary>
    private PendingRequest? Find(long id)
    {
        lock (_lock)
        {
            return _asked.TryGetValue(id, out PendingRequest? asked) ? asked : null;
        }
    }

    /// <summary>Takes out a request that was not sent.</summary>
    private void Forget(PendingRequest asked, Exception why)
    {
        lock (_lock)
        {
            _ = _asked.Remove(asked.Id) && asked.Fail(why);
        }
    }

    private async Task SendAsync(PendingRequest asked, ArrayWriter requestBody, TimeSpan? timeout, PacketType request)
    {
        byte[] packet = RequestPackets.Request(
            asked.Id, request.Id, requestBody.Written, timeout, TransportTracing.Current, asked.Items?.Window);
        try
        {
            using var givenUp = new CancellationTokenSource();
            Task<SendResult> sending = QueueAsync(asked, packet, givenUp.Token);
            if (await Task.WhenAny(sending, asked.Response).ConfigureAwait(false) != sending)
            {
                // Given up, or the link is over, before there was capacity: a request that nobody waits for is not asked any more.
                givenUp.Cancel();
            }
            else if (await sending.ConfigureAwait(false) == SendResult.Closed)
            {
                throw new TransportException(
                    TransportFault.Stopped, $"{request} was not asked: the link is closing or closed.", innerException: null, NotAsked);
            }
        }
        catch (Exception e)
        {
            Forget(asked, e);
            throw;
        }
    }

    private async Task<SendResult> QueueAsync(PendingRequest asked, byte[] packet, CancellationToken cancellationToken)
    {
        SendResult result = await link.SendRawAsync(RequestTypes.Request, packet, asked.Lane, cancellationToken).ConfigureAwait(false);
        if (result == SendResult.Queued && asked.NoteQueued())
        {
            Cancel(asked);
        }

        return result;
    }

    private void GiveUp(PendingRequest asked, Exception why)
    {
        bool isGivenUp;
        lock (_lock)
        {
            isGivenUp = _asked.Remove(asked.Id) && asked.Fail(why);
        }

        if (isGivenUp && asked.NoteGivenUp())
        {
            Cancel(asked);
        }
    }

    /// <summary>Reports to the peer that nobody waits any more, ahead of what is queued; only if the Request is queued. If there is no
    /// capacity, the response comes in vain and is skipped: a caller that gives up again and again must not pile up Cancels.</summary>
    private void Cancel(PendingRequest asked) =>
        _ = link.TrySendRaw(RequestTypes.Cancel, RequestPackets.Cancel(asked.Id), Lane.Urgent);

    private void OnResponse(ReadOnlySpan<byte> body)
    {
        var reader = new PacketReader(body);
        reader.ReadArrayHeader(4);
        long id = reader.ReadInt64();
        long status = reader.ReadInt64();
        byte[]? bytes = reader.TryReadNil() ? null : reader.ReadBin().ToArray();
        string? message = reader.ReadString();
        if (Find(id) is not { } asked)
        {
            return;   // given up before; the peer could not know
        }

        TransportException? failure = FailureIn(asked, status, bytes, message);
        lock (_lock)
        {
            if (_asked.Remove(id))
            {
                asked.End(bytes, failure);
            }
        }
    }

    /// <summary>What a Response says, if the request has failed.</summary>
    private static TransportException? FailureIn(PendingRequest asked, long status, byte[]? bytes, string? message)
    {
        if (status == RequestPackets.Done && (bytes is not null || asked.Items is not null))
        {
            return null;
        }

        // If the peer's copy of a deadline runs out first, its "cancelled" means just that.
        if (status == RequestPackets.Cancelled && asked.IsLate)
        {
            return asked.Late();
        }

        TransportFault fault = status != RequestPackets.Cancelled ? TransportFault.RequestFailed : TransportFault.RequestCancelled;
        string said = message is not null ? TerminalText.Line(message, PeerText.MaxChars)
            : (status == RequestPackets.UnknownType ? "the peer has no handler for this request" : "no reason was given");
        return new TransportException(fault, $"The peer responded: {said}");
    }

    private void OnItem(ReadOnlySpan<byte> body)
    {
        var reader = new PacketReader(body);
        reader.ReadArrayHeader(2);
        long id = reader.ReadInt64();
        ReadOnlySpan<byte> item = reader.ReadBin();
        if (Find(id) is { } asked)   // else given up before; the peer could not know
        {
            (asked.Items ?? throw new TransportException(
                TransportFault.PacketMalformed, $"The peer sent an Item (275) for request {id}, which grants no credit.")).Add(item);
        }
    }
}
