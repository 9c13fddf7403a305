using System;
using System.Buffers;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;

namespace Transport.Nats;

/// <summary>Blocks on their way to the server: as many bytes at once as fit, acknowledgements taken in order. One thread at a
/// time.</summary>
/// <remarks>
/// <para>Messages have no id (<c>Nats-Msg-Id</c>) by which the server knows doubles: it would take for one what a shipper sends again
/// because the receiver has not got the first. The receiver drops what it has.</para>
/// <para>A block's buffer goes back to the pool with its acknowledgement. Of a window that is given up the buffers are left to the
/// garbage collector: the client may still be writing them.</para>
/// </remarks>
/// <param name="jetStream">Where they go.</param>
/// <param name="subject">The journal's subject.</param>
/// <param name="mostBytes">How many bytes may be on their way.</param>
/// <param name="pool">Takes a block's memory back.</param>
/// <param name="acknowledged">Told of each block that the server has, in order.</param>
/// <param name="cancellationToken">Ends all waits.</param>
internal sealed class PublishWindow(
    NatsJSContext jetStream, string subject, int mostBytes, ArrayPool<byte> pool, Action<BlockHeader> acknowledged,
    CancellationToken cancellationToken)
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly Queue<Flight> _flights = new();
    private long _bytes;

    /// <summary>Gets the task of the oldest block that is not acknowledged; null if all are.</summary>
    public Task? Oldest => _flights.TryPeek(out Flight flight) ? flight.Sent : null;

    /// <summary>Sends a block; waits until it fits.</summary>
    /// <param name="array">The block, rented from the pool; this window's from now on.</param>
    /// <param name="length">How many bytes it has.</param>
    /// <param name="header">Its header.</param>
    /// <exception cref="FleetException">The server refused an earlier block, or did not answer.</exception>
    public async ValueTask SendAsync(byte[] array, int length, BlockHeader header)
    {
        while (_bytes > 0 && _bytes + length > mostBytes)
        {
            await SettleAsync().ConfigureAwait(false);
        }

        cancellationToken.ThrowIfCancellationRequested();
        var late = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        late.CancelAfter(Patience);
        NatsJSPublishConcurrentFuture future;
        try
        {
            // Awaited one by one, so that blocks go out in order; what is waited for later are the acknowledgements.
            future = await jetStream.PublishConcurrentAsync(
                subject, new ReadOnlyMemory<byte>(array, 0, length), cancellationToken: late.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (IsFailure(e, cancellationToken))
        {
            late.Dispose();
            throw Unsent(header, Why(e), e);
        }

        _bytes += length;
        _flights.Enqueue(new Flight(AcknowledgedAsync(future, late), array, length, header));
    }

    /// <summary>Takes the acknowledgements that have come.</summary>
    /// <exception cref="FleetException">As with <see cref="SendAsync"/>.</exception>
    public async ValueTask SettleCompletedAsync()
    {
        while (_flights.TryPeek(out Flight flight) && flight.Sent.IsCompleted)
        {
            await SettleAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Waits until all is acknowledged.</summary>
    /// <exception cref="FleetException">As with <see cref="SendAsync"/>.</exception>
    public async ValueTask SettleAllAsync()
    {
        while (_flights.Count > 0)
        {
            await SettleAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Leaves what is on its way to itself.</summary>
    public void Abandon()
    {
        foreach (Flight flight in _flights)
        {
            _ = flight.Sent.ContinueWith(static sent => _ = sent.Exception, TaskScheduler.Default);   // nobody else looks at it any more
        }
    }

    private async ValueTask SettleAsync()
    {
        Flight flight = _flights.Peek();
        PubAckResponse response;
        try
        {
            response = await flight.Sent.ConfigureAwait(false);
        }
        catch (Exception e) when (IsFailure(e, cancellationToken))
        {
            throw Unsent(flight.Header, Why(e), e);
        }

        if (response.Error is { } refused)
        {
            string why = FormattableString.Invariant($"the server refused it ({refused.Code}): {refused.Description}");
            throw Unsent(flight.Header, why, null);
        }

        _flights.Dequeue();
        _bytes -= flight.Length;
        pool.Return(flight.Array);
        if (flight.Header.Part == flight.Header.Parts - 1)
        {
            acknowledged(flight.Header);
        }
    }

    private static async Task<PubAckResponse> AcknowledgedAsync(NatsJSPublishConcurrentFuture future, CancellationTokenSource late)
    {
        using (late)
        {
            await using (future.ConfigureAwait(false))
            {
                return await future.GetResponseAsync(late.Token).ConfigureAwait(false);
            }
        }
    }

    private static bool IsFailure(Exception e, CancellationToken cancellationToken) =>
        e is NatsException or TimeoutException || (e is OperationCanceledException && !cancellationToken.IsCancellationRequested);

    private static string Why(Exception e) => e is OperationCanceledException
        ? FormattableString.Invariant($"the server has not answered for {Patience.TotalSeconds:0} s") : FleetConnection.Because(e);

    private static FleetException Unsent(in BlockHeader header, string why, Exception? cause) => new(
        FleetFault.ConnectFailed,
        FormattableString.Invariant($"Packets {header.First} to {header.Last} are not on the server: {why}. They are sent again."), cause);

    private readonly record struct Flight(Task<PubAckResponse> Sent, byte[] Array, int Length, BlockHeader Header);
}
