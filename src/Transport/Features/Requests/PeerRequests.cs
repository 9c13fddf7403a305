using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The peer's requests in work: each gets exactly one response while the link lives.</summary>
internal sealed class PeerRequests(IRequestLink link, TimeProvider clock, int maxRequests, LinkCounters counters)
{
    /// <summary>How many Cancels are remembered that came before their Request, which waits in a slower lane; or after its
    /// response.</summary>
    private const int MaxEarlyCancels = 256;

    private const int Fields = 4;   // and the trace context as a fifth, and credit as a sixth

    private readonly object _lock = new();   // over the fields below; nobody is called while it is held
    private readonly Dictionary<long, Work> _inWork = [];
    private readonly Queue<long> _earlyCancels = new();
    private int _places;     // taken until the response is queued
    private int _streams;    // of these
    private TaskCompletionSource<bool>? _answered;   // made by who waits until none is taken
    private int _refusals;   // responses that wait for capacity without a place
    private bool _isEnded;

    /// <summary>Takes a Request; on the receive loop, its body on loan. The handler runs beside the loop.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: of the packet Request itself, not of the
    /// body in it.</exception>
    public void OnRequest(ReadOnlyMemory<byte> body, Lane lane)
    {
        var reader = new PacketReader(body.Span);
        int count = reader.ReadArrayHeader(Fields);
        long id = reader.ReadInt64();
        int type = reader.ReadInt32();
        ReadOnlySpan<byte> requestBody = reader.ReadBin();
        int offset = reader.Consumed - requestBody.Length;
        long? deadlineMs = reader.TryReadNil() ? null : reader.ReadInt64();
        ActivityContext parent = count > Fields ? ReadParent(ref reader) : default;
        long? credit = count > Fields + 1 && !reader.TryReadNil() ? ReadCredit(ref reader) : null;
        if (WasCancelled(id))
        {
            Refuse(id, RequestPackets.Cancelled, "cancelled", lane);
            return;
        }

        RequestHandler? handler = link.FindRequest(type);
        if (handler is null)
        {
            Refuse(id, RequestPackets.UnknownType, $"no handler for request type {type}", lane);
            return;
        }

        var work = new Work(
            id, credit is { } bytes ? new ItemSender(link, id, lane, bytes) : null, new CancellationTokenSource(), handler.IsStream);
        if (!TryEnter(work))
        {
            Refuse(id, RequestPackets.Failed, $"{maxRequests} requests are in work already (LinkOptions.MaxRequests)", lane);
            return;
        }

        try
        {
            MessagePackValue.Check(requestBody);
            TimeSpan? limit = deadlineMs is { } ms ? TimeSpan.FromMilliseconds(Math.Min(Math.Max(ms, 1), int.MaxValue)) : null;
            var context = new PacketContext(
                link.Context.OfRequest(work.Cancellation.Token), lane, limit is { } left ? clock.GetUtcNow() + left : null);
            Task<byte[]?> response = Start(handler, body.Slice(offset, requestBody.Length), context, parent, work, out Activity? span);
            _ = RunAsync(work, response, span, limit, lane, thrown => link.OnRequestFailed((ushort)type, handler.Name, thrown));
        }
        catch (TransportException malformed)
        {
            Forget(work);
            Leave(work);
            Refuse(id, RequestPackets.Failed, malformed.Message, lane);
        }
        catch (Exception thrown)
        {
            // By the request's formatter: the program's own code, as the handler is.
            Forget(work);
            Leave(work);
            link.OnRequestFailed((ushort)type, handler.Name, thrown);
            Refuse(id, RequestPackets.Failed, PeerText.Cut(ExceptionText.Full(thrown)), lane);
        }
    }

    /// <summary>Reads credit, in bytes.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: below 0.</exception>
    public static long ReadCredit(ref PacketReader reader) => reader.ReadInt64() is >= 0 and var bytes ? bytes
        : throw new TransportException(
            TransportFault.PacketMalformed, "The peer sent negative credit: granted credit cannot be taken back.");

    /// <summary>Takes a Credit. One for a request that is answered already has come too late to matter.</summary>
    public void OnCredit(long id, long bytes)
    {
        Work? work;
        lock (_lock)
        {
            _ = _inWork.TryGetValue(id, out work);
        }

        work?.Items?.Grant(bytes);
    }

    /// <summary>Takes a Cancel.</summary>
    public void OnCancel(long id)
    {
        Work? work;
        lock (_lock)
        {
            if (!_inWork.TryGetValue(id, out work))
            {
                _earlyCancels.Enqueue(id);
                if (_earlyCancels.Count > MaxEarlyCancels)
                {
                    _earlyCancels.Dequeue();
                }
            }
        }

        if (work is not null)
        {
            Cancel(work);
        }
    }

    /// <summary>Starts a handler in a span of its own; this thread reads on outside of it.</summary>
    private static Task<byte[]?> Start(RequestHandler handler, ReadOnlyMemory<byte> requestBody, PacketContext context,
        ActivityContext parent, Work work, out Activity? span)
    {
        Activity? before = Activity.Current;
        span = TransportTracing.Begin(handler.ShortName, ActivityKind.Server, parent, (int)context.Lane);
        try
        {
            return handler.StartAsync(requestBody, context, work.Items);
        }
        catch (Exception thrown)
        {
            TransportTracing.End(span, thrown);
            throw;
        }
        finally
        {
            Activity.Current = before;
        }
    }

    /// <summary>Reads the trace context. One that is none is ignored and counted: the request is not worse for it.</summary>
    private ActivityContext ReadParent(ref PacketReader reader)
    {
        ActivityContext parent = default;
        if (reader.TryReadNil() || (reader.PeekKind() == PacketValueKind.String
            && TransportTracing.TryParse(reader.ReadString(), out parent)))
        {
            return parent;
        }

        counters.MalformedTraceParent();
        return default;
    }

    private bool WasCancelled(long id)
    {
        lock (_lock)
        {
            return _earlyCancels.Count > 0 && _earlyCancels.Contains(id);
        }
    }

    /// <summary>The link is over: nobody waits for what is in work.</summary>
    public void End()
    {
        Work[] inWork;
        lock (_lock)
        {
            _isEnded = true;
            inWork = [.. _inWork.Values];
        }

        Array.ForEach(inWork, Cancel);
    }

    /// <summary>Takes a place for a request, and notes it.</summary>
    /// <returns>False if there is no place.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: a request of this id is in work.</exception>
    private bool TryEnter(Work work)
    {
        lock (_lock)
        {
            if (_places >= maxRequests)
            {
                return false;
            }

            if (_inWork.ContainsKey(work.Id))
            {
                throw new TransportException(TransportFault.PacketMalformed, $"Request {work.Id} was asked twice.");
            }

            _inWork.Add(work.Id, work);
            _places++;
            _streams += work.IsStream ? 1 : 0;
            if (!_isEnded)
            {
                return true;
            }
        }

        work.Cancellation.Cancel();
        return true;
    }

    /// <summary>Completes when no request but streams is in work.</summary>
    public Task AnsweredAsync()
    {
        lock (_lock)
        {
            return _places == _streams ? Task.CompletedTask
                : (_answered ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    private void Leave(Work work)
    {
        lock (_lock)
        {
            _places--;
            _streams -= work.IsStream ? 1 : 0;
            if (_places == _streams)
            {
                _answered?.TrySetResult(true);
                _answered = null;
            }
        }
    }

    private static void Cancel(Work work)
    {
        try
        {
            // Handlers' callbacks must not run on the receive loop.
            ThreadPool.QueueUserWorkItem(static state => CancelNow((CancellationTokenSource)state!), work.Cancellation);
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
        Work work, Task<byte[]?> responding, Activity? span, TimeSpan? deadline, Lane lane, Action<Exception> failed)
    {
        CancellationTokenSource cancellation = work.Cancellation;
        int status = RequestPackets.Done;
        byte[]? response = null;
        string? message = null;
        Exception? failure = null;
        using (Delay? limit = deadline is { } time ? new Delay(clock, time) : null)
        {
            _ = limit?.Task.ContinueWith(_ => CancelNow(cancellation), CancellationToken.None, TaskContinuationOptions.None,
                TaskScheduler.Default);
            try
            {
                response = await responding.ConfigureAwait(false);
            }
            catch (OperationCanceledException e) when (cancellation.IsCancellationRequested || work.Items is { IsClosed: true })
            {
                failure = limit is { Task.IsCompleted: true } ? e : null;   // that its caller gives it up is no failure of the handler
                status = RequestPackets.Cancelled;
                message = "cancelled";
            }
            catch (Exception e)
            {
                status = RequestPackets.Failed;
                message = PeerText.Cut(ExceptionText.Full(e));
                failure = e;
                failed(e);
            }
        }

        TransportTracing.End(span, failure);

        // The id is free as soon as its response may arrive; the place is, once it is queued: who reads no responses cannot pile them
        // up here.
        Forget(work);
        try
        {
            await SendAsync(work.Id, RequestPackets.Response(work.Id, status, response, message), lane).ConfigureAwait(false);
        }
        finally
        {
            Leave(work);
        }
    }

    private void Forget(Work work)
    {
        lock (_lock)
        {
            _inWork.Remove(work.Id);
        }

        work.Cancellation.Dispose();
    }

    /// <summary>Answers a request that is not taken. Such responses have no place among those in work, so those that wait for capacity are
    /// counted here.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.Timeout"/>: too many wait, because the peer asks and does not
    /// read.</exception>
    private void Refuse(long id, int status, string message, Lane lane)
    {
        bool areTooMany;
        lock (_lock)
        {
            areTooMany = ++_refusals > maxRequests;
        }

        if (areTooMany)
        {
            throw new TransportException(TransportFault.Timeout,
                $"The peer goes on asking, but does not read: {maxRequests} responses (LinkOptions.MaxRequests) wait for capacity.");
        }

        _ = SendRefusalAsync(id, RequestPackets.Response(id, status, null, message), lane);
    }

    private async Task SendRefusalAsync(long id, byte[] packet, Lane lane)
    {
        try
        {
            await SendAsync(id, packet, lane).ConfigureAwait(false);
        }
        finally
        {
            lock (_lock)
            {
                _refusals--;
            }
        }
    }

    private async Task SendAsync(long id, byte[] packet, Lane lane)
    {
        try
        {
            await link.SendRawAsync(RequestTypes.Response, packet, lane, CancellationToken.None).ConfigureAwait(false);
        }
        catch (TransportException tooLarge)
        {
            byte[] failure = RequestPackets.Response(id, RequestPackets.Failed, null, tooLarge.Message);
            await link.SendRawAsync(RequestTypes.Response, failure, lane, CancellationToken.None).ConfigureAwait(false);
        }
    }

    /// <summary>One request in work.</summary>
    /// <param name="Id">Its number.</param>
    /// <param name="Items">What sends its items; null: its caller takes none.</param>
    /// <param name="Cancellation">Cancelled when nobody waits for its response any more.</param>
    /// <param name="IsStream">Whether its response is a stream.</param>
    private sealed record Work(long Id, ItemSender? Items, CancellationTokenSource Cancellation, bool IsStream);
}
