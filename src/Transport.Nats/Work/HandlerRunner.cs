using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Nats;

/// <summary>Answers requests by handlers in the agent's own process.</summary>
internal sealed class HandlerRunner : IWorkRunner
{
    private readonly PacketRouter _handlers;
    private readonly ReceiveContext _context;

    /// <summary>Initializes a new instance of the <see cref="HandlerRunner"/> class.</summary>
    /// <param name="handlers">The handlers of requests; frozen from now on.</param>
    /// <param name="clock">The clock that they see.</param>
    public HandlerRunner(PacketRouter handlers, TimeProvider clock)
    {
        _handlers = handlers;
        _handlers.Freeze();
        _context = new ReceiveContext(new NoLink(), "a caller of another machine", clock);
    }

    /// <inheritdoc/>
    public int Slots => Environment.ProcessorCount;

    /// <inheritdoc/>
    public async Task<WorkOutcome?> RunAsync(WorkItem item, Action<byte[]>? report, CancellationToken cancellationToken)
    {
        if (_handlers.FindRequest(item.Type) is not { } handler)
        {
            return WorkOutcome.Failed(TransportFault.RequestFailed, $"no handler for request type {item.Type}");
        }

        try
        {
            MessagePackValue.Check(item.Body);
            var context = new PacketContext(_context.OfRequest(cancellationToken), item.Lane);

            // A handler that takes no notice of its token goes on for nobody; the agent does not wait for it.
            byte[]? body = await Delay.UntilAsync(
                handler.StartAsync(item.Body, context, report is null ? null : new Items(report)), cancellationToken)
                .ConfigureAwait(false);
            return body is not null ? new WorkOutcome(TransportFault.None, string.Empty, null, body) : WorkOutcome.Failed(
                TransportFault.RequestFailed, "The response is a stream, which does not leave a machine.");
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            throw;
        }
        catch (TransportException e)
        {
            return WorkOutcome.Failed(TransportFault.RequestFailed, e.Message);
        }
#pragma warning disable CA1031 // the handler's: it is the caller's failure
        catch (Exception e)
#pragma warning restore CA1031
        {
            return WorkOutcome.Failed(TransportFault.RequestFailed, ExceptionText.Full(e));
        }
    }

    /// <summary>Takes the reports of a handler.</summary>
    private sealed class Items(Action<byte[]> report) : IItemOutput
    {
        public ValueTask SendAsync<T>(PacketType<T> type, T item, CancellationToken cancellationToken)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var body = new ArrayWriter();
            type.Formatter.Write(body, item);
            report(body.Written.ToArray());
            return default;
        }
    }

    /// <summary>What a handler has for a sender: there is no link to its caller, and nothing is taken.</summary>
    private sealed class NoLink : IPacketSender
    {
        public LevelRules Levels { get; } = new(PacketLevel.None, new Dictionary<string, PacketLevel>());

        public SendResult TrySend<T>(PacketType<T> type, T packet, Lane? lane = null, LanePolicy? policy = null) => SendResult.Closed;

        public ValueTask<SendResult> SendAsync<T>(
            PacketType<T> type, T packet, Lane? lane = null, CancellationToken cancellationToken = default) => new(SendResult.Closed);

        public SendResult Send<T>(PacketType<T> type, T packet, TimeSpan timeout, Lane? lane = null) => SendResult.Closed;

        public SendResult TrySendRaw(ushort type, ReadOnlySpan<byte> body, Lane lane = Lane.Normal) => SendResult.Closed;

        public ValueTask<SendResult> SendRawAsync(
            ushort type, ReadOnlyMemory<byte> body, Lane lane = Lane.Normal, CancellationToken cancellationToken = default) =>
            new(SendResult.Closed);

        public SendResult SendRaw(ushort type, ReadOnlySpan<byte> body, TimeSpan timeout, Lane lane = Lane.Normal) => SendResult.Closed;
    }
}
