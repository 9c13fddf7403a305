using System;
using System.Buffers;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The questions of one link, both ways. Each ends in an answer, a failure, a cancel, a deadline or the link's end, never in
/// silence.</summary>
internal sealed class Requests(IRequestLink link, TimeProvider clock, int maxRequests, LinkCounters counters)
{
    private readonly RequestAnswers _answers = new(link, clock, maxRequests, counters);
    private readonly object _lock = new();   // over the fields below
    private readonly Dictionary<long, Question> _asked = [];
    private long _lastId;
    private TransportException? _end;

    /// <summary>Asks.</summary>
    /// <param name="request">The question's type.</param>
    /// <param name="question">The question, written out.</param>
    /// <param name="answer">The answer's type.</param>
    /// <param name="timeout">How long to wait; null or infinite: as long as the link lives.</param>
    /// <param name="lane">The lane.</param>
    /// <param name="cancellationToken">Gives up and notifies the peer.</param>
    public async Task<TAnswer> AskAsync<TAnswer>(
        PacketType request,
        ArrayWriter question,
        PacketType<TAnswer> answer,
        TimeSpan? timeout,
        Lane lane,
        CancellationToken cancellationToken)
    {
        RequestTrace? trace = RequestTrace.Begin(request, lane);
        Exception? failure = null;
        try
        {
            byte[] bytes = await AskAsync(request, question, timeout, lane, cancellationToken).ConfigureAwait(false);
            return answer.Formatter.Read(new ReadOnlySequence<byte>(bytes));
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

    private async Task<byte[]> AskAsync(
        PacketType request, ArrayWriter question, TimeSpan? timeout, Lane lane, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        timeout = timeout == Timeout.InfiniteTimeSpan ? null : timeout;
        Question asked = Add(lane, hasDeadline: timeout is not null);
        using var limit = timeout is { } time ? new Delay(clock, time) : null;
        _ = limit?.Task.ContinueWith(
            _ => GiveUp(asked, new TransportException(
                TransportFault.RequestTimeout, $"No answer to {request} came within {timeout!.Value.TotalSeconds:0.###} s.")),
            CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
        using CancellationTokenRegistration registration =
            cancellationToken.Register(() => GiveUp(asked, new OperationCanceledException(cancellationToken)));
        byte[] packet = RequestPackets.Request(asked.Id, request.Id, question.Written, timeout, TransportTracing.Current);
        await SendAsync(asked, packet, request).ConfigureAwait(false);
        return await asked.Answer.ConfigureAwait(false);
    }

    /// <summary>Takes one of the three packets; on the receive loop, its body on loan.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>.</exception>
    public void OnPacket(ushort type, Lane lane, ReadOnlyMemory<byte> body)
    {
        switch (type)
        {
            case RequestTypes.Request:
                _answers.OnRequest(body, lane);
                break;
            case RequestTypes.Answer:
                OnAnswer(body.Span);
                break;
            default:
                var reader = new PacketReader(body.Span);
                reader.ReadArrayHeader(1);
                _answers.OnCancel(reader.ReadInt64());
                break;
        }
    }

    /// <summary>Ends whatever is unanswered with the link's own end.</summary>
    public void End(LinkCause cause)
    {
        TransportFault fault = cause.Fault == TransportFault.None ? TransportFault.PeerGone : cause.Fault;
        var over = new TransportException(
            fault, $"The link ended before the answer came: {(cause.Reason.Length > 0 ? cause.Reason : "it was closed")}", cause.Exception);
        Question[] unanswered;
        lock (_lock)
        {
            _end = over;
            unanswered = [.. _asked.Values];
            _asked.Clear();
        }

        Array.ForEach(unanswered, asked => asked.Fail(over));
        _answers.End();
    }

    private Question Add(Lane lane, bool hasDeadline)
    {
        lock (_lock)
        {
            if (_end is not null)
            {
                throw _end;
            }

            var asked = new Question(++_lastId, lane, hasDeadline);
            _asked.Add(asked.Id, asked);
            return asked;
        }
    }

    /// <summary>Takes a question out: it is answered, or given up.</summary>
    /// <returns>Null if it was taken out before.</returns>
    private Question? Take(long id)
    {
        lock (_lock)
        {
            return _asked.TryGetValue(id, out Question? asked) && _asked.Remove(id) ? asked : null;
        }
    }

    private async Task SendAsync(Question asked, byte[] packet, PacketType request)
    {
        try
        {
            using var givenUp = new CancellationTokenSource();
            Task<SendResult> sending = QueueAsync(asked, packet, givenUp.Token);
            if (await Task.WhenAny(sending, asked.Answer).ConfigureAwait(false) != sending)
            {
                // Given up, or the link is over, before there was capacity: a question that nobody waits for is not asked any more.
                givenUp.Cancel();
            }
            else if (await sending.ConfigureAwait(false) == SendResult.Closed)
            {
                throw new TransportException(TransportFault.PeerGone, $"{request} was not asked: the link is closing or closed.");
            }
        }
        catch
        {
            Take(asked.Id);
            throw;
        }
    }

    private async Task<SendResult> QueueAsync(Question asked, byte[] packet, CancellationToken cancellationToken)
    {
        SendResult result = await link.SendRawAsync(RequestTypes.Request, packet, asked.Lane, cancellationToken).ConfigureAwait(false);
        if (result == SendResult.Queued && asked.NoteQueued())
        {
            Cancel(asked);
        }

        return result;
    }

    private void GiveUp(Question asked, Exception why)
    {
        if (Take(asked.Id) is not null && asked.Fail(why) && asked.NoteGivenUp())
        {
            Cancel(asked);
        }
    }

    /// <summary>Reports to the peer that nobody waits any more, ahead of what is queued; only if the Request is queued. If there is no
    /// capacity, the answer comes in vain and is skipped: a caller that gives up again and again must not pile up Cancels.</summary>
    private void Cancel(Question asked) =>
        _ = link.TrySendRaw(RequestTypes.Cancel, RequestPackets.Cancel(asked.Id), Lane.Urgent);

    private void OnAnswer(ReadOnlySpan<byte> body)
    {
        var reader = new PacketReader(body);
        reader.ReadArrayHeader(4);
        long id = reader.ReadInt64();
        long status = reader.ReadInt64();
        byte[]? bytes = reader.TryReadNil() ? null : reader.ReadBin().ToArray();
        string? message = reader.ReadString();
        if (Take(id) is not { } asked)
        {
            return;   // given up before; the peer could not know
        }

        if (status == RequestPackets.Done && bytes is not null)
        {
            asked.Succeed(bytes);
            return;
        }

        // If the peer's copy of a deadline runs out first, its "cancelled" means just that.
        TransportFault fault = status != RequestPackets.Cancelled ? TransportFault.RequestFailed : asked.HasDeadline
            ? TransportFault.RequestTimeout : TransportFault.RequestCancelled;
        string said = message is not null ? TerminalText.Line(message, PeerText.MaxChars)
            : (status == RequestPackets.UnknownType ? "the peer has no handler for this request" : "no reason was given");
        asked.Fail(new TransportException(fault, $"The peer answered: {said}"));
    }
}
