using System;
using System.Collections.Concurrent;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The peer's questions in work: each gets exactly one answer while the link lives.</summary>
internal sealed class RequestAnswers(IRequestLink link, TimeProvider clock, int maxRequests)
{
    private readonly ConcurrentDictionary<long, CancellationTokenSource> _inWork = new(concurrencyLevel: 1, capacity: 1);
    private int _count;
    private int _refusals;
    private volatile bool _ended;

    /// <summary>Takes a Request; on the receive loop, its body on loan. The handler runs beside the loop.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: of the Request itself, not of the question in
    /// it.</exception>
    public void OnRequest(ReadOnlyMemory<byte> body, Lane lane)
    {
        var reader = new PacketReader(body.Span);
        reader.ReadArrayHeader(4);
        long id = reader.ReadInt64();
        int type = reader.ReadInt32();
        ReadOnlySpan<byte> question = reader.ReadBin();
        int offset = reader.Consumed - question.Length;
        long? deadlineMs = reader.TryReadNil() ? null : reader.ReadInt64();
        RequestHandler? handler = link.FindRequest(type);
        if (handler is null)
        {
            Refuse(id, RequestPackets.UnknownType, $"no handler for request type {type}", lane);
            return;
        }

        if (Interlocked.Increment(ref _count) > maxRequests)
        {
            Interlocked.Decrement(ref _count);
            Refuse(id, RequestPackets.Failed, $"{maxRequests} requests are in work already (LinkOptions.MaxRequests)", lane);
            return;
        }

        var cancellation = new CancellationTokenSource();
        if (!_inWork.TryAdd(id, cancellation))
        {
            Interlocked.Decrement(ref _count);
            throw new TransportException(TransportFault.PacketMalformed, $"Request {id} was asked twice.");
        }

        if (_ended)
        {
            cancellation.Cancel();
        }

        try
        {
            MessagePackValue.Check(question);
            var context = new PacketContext(link.Context, lane);
            Task<byte[]> work = handler.StartAsync(body.Slice(offset, question.Length), context, cancellation.Token);
            _ = RunAsync(id, work, cancellation, deadlineMs, lane, thrown => link.OnRequestFailed(type, handler.Name, thrown));
        }
        catch (TransportException malformed)
        {
            Forget(id, cancellation);
            Interlocked.Decrement(ref _count);
            Refuse(id, RequestPackets.Failed, malformed.Message, lane);
        }
        catch (Exception thrown)
        {
            // By the question's formatter: the program's own code, as the handler is.
            Forget(id, cancellation);
            Interlocked.Decrement(ref _count);
            link.OnRequestFailed(type, handler.Name, thrown);
            Refuse(id, RequestPackets.Failed, PeerText.Cut(ExceptionText.Full(thrown)), lane);
        }
    }

    public void OnCancel(long id)
    {
        if (_inWork.TryGetValue(id, out CancellationTokenSource? cancellation))
        {
            Cancel(cancellation);
        }
    }

    /// <summary>The link is over: nobody waits for what is in work.</summary>
    public void End()
    {
        _ended = true;
        foreach (CancellationTokenSource cancellation in _inWork.Values)
        {
            Cancel(cancellation);
        }
    }

    private static void Cancel(CancellationTokenSource cancellation)
    {
        try
        {
            // Handlers' callbacks must not run on the receive loop.
            ThreadPool.QueueUserWorkItem(static state => CancelNow((CancellationTokenSource)state!), cancellation);
        }
        catch (ObjectDisposedException)
        {
            // Answered meanwhile.
        }
    }

    private static void CancelNow(CancellationTokenSource cancellation)
    {
        try
        {
            cancellation.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // Answered meanwhile.
        }
        catch (AggregateException)
        {
            // A callback of the handler's own threw; its request fails or not by its task alone.
        }
    }

    private async Task RunAsync(
        long id, Task<byte[]> work, CancellationTokenSource cancellation, long? deadlineMs, Lane lane, Action<Exception> failed)
    {
        int status = RequestPackets.Done;
        byte[]? answer = null;
        string? message = null;
        using (Delay? limit = deadlineMs is { } ms ? new Delay(clock, TimeSpan.FromMilliseconds(Math.Min(Math.Max(ms, 1), int.MaxValue)))
            : null)
        {
            _ = limit?.Task.ContinueWith(_ => CancelNow(cancellation), CancellationToken.None, TaskContinuationOptions.None,
                TaskScheduler.Default);
            try
            {
                answer = await work.ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
            {
                status = RequestPackets.Cancelled;
                message = "cancelled";
            }
            catch (Exception e)
            {
                status = RequestPackets.Failed;
                message = PeerText.Cut(ExceptionText.Full(e));
                failed(e);
            }
        }

        // The id is free as soon as its answer may arrive; the place is, once the answer is queued: who reads no answers cannot pile them
        // up here.
        Forget(id, cancellation);
        try
        {
            await SendAsync(id, RequestPackets.Answer(id, status, answer, message), lane).ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Decrement(ref _count);
        }
    }

    private void Forget(long id, CancellationTokenSource cancellation)
    {
        _inWork.TryRemove(id, out _);
        cancellation.Dispose();
    }

    /// <summary>Answers a request that is not taken. Such answers have no place among those in work, so those that wait for room are
    /// counted here.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.Timeout"/>: too many wait, because the peer asks and does not
    /// read.</exception>
    private void Refuse(long id, int status, string message, Lane lane)
    {
        if (Interlocked.Increment(ref _refusals) > maxRequests)
        {
            throw new TransportException(TransportFault.Timeout,
                $"The peer goes on asking, but does not read: {maxRequests} answers (LinkOptions.MaxRequests) wait for room.");
        }

        _ = SendRefusalAsync(id, RequestPackets.Answer(id, status, null, message), lane);
    }

    private async Task SendRefusalAsync(long id, byte[] packet, Lane lane)
    {
        await SendAsync(id, packet, lane).ConfigureAwait(false);
        Interlocked.Decrement(ref _refusals);
    }

    private async Task SendAsync(long id, byte[] packet, Lane lane)
    {
        try
        {
            await link.SendRawAsync(RequestTypes.Answer, packet, lane, CancellationToken.None).ConfigureAwait(false);
        }
        catch (TransportException tooLarge)
        {
            byte[] failure = RequestPackets.Answer(id, RequestPackets.Failed, null, tooLarge.Message);
            await link.SendRawAsync(RequestTypes.Answer, failure, lane, CancellationToken.None).ConfigureAwait(false);
        }
    }
}
