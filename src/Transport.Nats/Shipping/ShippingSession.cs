using System;
using System.Buffers;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;
using Transport.Journal;

namespace Transport.Nats;

/// <summary>One try of a shipper: from where the server and the receiver stand, until something fails, the receiver asks for packets again,
/// or the journal has ended. One flow of control.</summary>
/// <param name="source">Opens a reader of the journal from a position on.</param>
/// <param name="journal">The journal's id.</param>
/// <param name="server">The server.</param>
/// <param name="options">The options.</param>
/// <param name="ledger">Where the shipper stands.</param>
/// <param name="pool">Gives the memory of blocks.</param>
internal sealed class ShippingSession(
    Func<long, JournalReader> source, Guid journal, FleetServer server, ShipperOptions options, ShipperLedger ledger,
    ArrayPool<byte> pool)
{
    /// <summary>The stream has no message of that subject: an error code of JetStream.</summary>
    private const int NoMessage = 10037;

    private readonly string _subject = $"{options.Stream.Subject}.{options.Machine}.{Words.Of(journal)}";
    private int _served;   // which of the receiver's questions this session answers; 0: none, or it is settled

    /// <summary>Ships.</summary>
    /// <param name="cancellationToken">Ends it.</param>
    /// <returns>Whether the journal has ended and all of it is shipped; false: begin anew.</returns>
    /// <exception cref="FleetException">The server could not be used.</exception>
    /// <exception cref="JournalException">The journal cannot be read.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public async Task<bool> RunAsync(CancellationToken cancellationToken)
    {
        PositionWatch watch = await WatchAsync(cancellationToken).ConfigureAwait(false);
        await using (watch.ConfigureAwait(false))
        {
            ReceivedPosition first = watch.Current;
            _served = first.Asked;
            ledger.Received(first.Position);
            await ReadMissedAsync(watch, cancellationToken).ConfigureAwait(false);
            long after = Math.Max(first.Position, first.Asked != 0 ? 0 : await OnServerAsync(cancellationToken).ConfigureAwait(false));
            ledger.Begin(after);
            var window = new PublishWindow(
                server.JetStream, _subject, options.WindowBytes, pool, ledger.Published, cancellationToken);
            int target = Math.Min(options.BlockBytes, server.MostBlock - BlockHeader.Size);
            var cutter = new BlockCutter(journal, after, target, server.MostBlock, options.Compresses, pool,
                options.TimeProvider, ledger.Read, window.SendAsync);
            try
            {
                using JournalReader reader = await OpenAsync(after, cutter).ConfigureAwait(false);
                if (!await ShipAsync(reader, cutter, window, watch, cancellationToken).ConfigureAwait(false))
                {
                    return false;
                }

                await cutter.CloseAsync().ConfigureAwait(false);
                await window.SettleAllAsync().ConfigureAwait(false);
                bool isReceived = await IsReceivedAsync(cutter.Last, watch, cancellationToken).ConfigureAwait(false);
                return isReceived && reader.Condition == JournalCondition.Damaged
                    ? throw new JournalException(JournalFault.Damaged, $"All before the damage is shipped. {reader.Ending}")
                    : isReceived;
            }
            finally
            {
                window.Abandon();
            }
        }
    }

    private async Task<PositionWatch> WatchAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await PositionWatch.StartAsync(
                server.Positions, ReceivedPosition.Key(options.Machine, journal), () => ledger.IsExpecting, options.TimeProvider,
                cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is NatsException or TimeoutException)
        {
            throw Unsaid(e);
        }
    }

    /// <summary>Notes what of the packets up to its position the receiver never got.</summary>
    private async Task ReadMissedAsync(PositionWatch watch, CancellationToken cancellationToken)
    {
        try
        {
            ledger.MissedByReceiver(await watch.ReadMissedAsync(cancellationToken).ConfigureAwait(false));
        }
        catch (Exception e) when (e is NatsException or TimeoutException)
        {
            throw Unsaid(e);
        }
    }

    private static FleetException Unsaid(Exception e) =>
        new(FleetFault.ConnectFailed, $"The server did not say what was received: {FleetConnection.Because(e)}", e);

    /// <summary>Returns the last position that the stream has of this journal. It may be less than what was acknowledged: a server whose
    /// data was rolled back has forgotten the rest.</summary>
    private async Task<long> OnServerAsync(CancellationToken cancellationToken)
    {
        try
        {
            INatsJSStream stream = await server.JetStream.GetStreamAsync(options.Stream.Name, cancellationToken: cancellationToken)
                .ConfigureAwait(false);
            StreamMsgGetResponse last = await stream.GetAsync(new StreamMsgGetRequest { LastBySubj = _subject }, cancellationToken)
                .ConfigureAwait(false);

            // Of a packet in parts only the last one says that it is there as a whole.
            return BlockHeader.Read(last.Message.Data.Span, out BlockHeader header) is null && header.Journal == journal
                ? header.Part == header.Parts - 1 ? header.Last : header.Previous : 0;
        }
        catch (NatsJSApiException e) when (e.Error.ErrCode == NoMessage)
        {
            return 0;
        }
        catch (Exception e) when (e is NatsException or TimeoutException)
        {
            throw new FleetException(FleetFault.ConnectFailed, $"The server did not say what it has: {FleetConnection.Because(e)}", e);
        }
    }

    /// <summary>Opens the reader; what the journal has dropped already is said to the receiver.</summary>
    private async Task<JournalReader> OpenAsync(long after, BlockCutter cutter)
    {
        try
        {
            return source(after + 1);
        }
        catch (JournalException e) when (e.Fault == JournalFault.Compacted && e.OldestPosition > after + 1)
        {
            ledger.Missed(after + 1, e.OldestPosition - 1);
            await cutter.SkipAsync(e.OldestPosition - 1).ConfigureAwait(false);
            return source(e.OldestPosition);
        }
    }

    /// <returns>Whether the journal has ended; false: the receiver asks for packets again.</returns>
    private async Task<bool> ShipAsync(
        JournalReader reader, BlockCutter cutter, PublishWindow window, PositionWatch watch, CancellationToken cancellationToken)
    {
        using var left = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task<bool>? more = null;   // the reader must not be touched while it waits
        try
        {
            while (true)
            {
                Task changed = watch.Changed;   // before it is looked at: what changes behind that completes this
                if (IsAsked(watch))
                {
                    return false;
                }

                if (_served != 0 && watch.Current.Asked == 0)
                {
                    _served = 0;
                    await ReadMissedAsync(watch, cancellationToken).ConfigureAwait(false);
                }

                if (more is null && !await TakeAsync(reader, cutter, window, watch).ConfigureAwait(false))
                {
                    return false;
                }

                if (cutter.HasSome && cutter.Age >= options.MaxDelay)
                {
                    await cutter.CloseAsync().ConfigureAwait(false);
                }

                // While a block gathers packets, nobody is woken for each of them: the reader is looked at when the block's time is over.
                more ??= cutter.HasSome ? null : reader.WaitAsync(left.Token).AsTask();
                TimeSpan patience = cutter.HasSome ? options.MaxDelay - cutter.Age : Timeout.InfiniteTimeSpan;
                Task any = Task.WhenAny(more ?? changed, changed, window.Oldest ?? changed);
                _ = await Delay.InTimeAsync(any, options.TimeProvider, patience, cancellationToken).ConfigureAwait(false);
                cancellationToken.ThrowIfCancellationRequested();
                await window.SettleCompletedAsync().ConfigureAwait(false);
                if (more is { IsCompleted: true })
                {
                    if (!await more.ConfigureAwait(false))
                    {
                        return true;
                    }

                    more = null;
                }
            }
        }
        finally
        {
            await left.CancelAsync().ConfigureAwait(false);
            await ((more as Task) ?? Task.CompletedTask).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>Takes what the reader has.</summary>
    /// <returns>False if the receiver asks for packets again.</returns>
    private async Task<bool> TakeAsync(JournalReader reader, BlockCutter cutter, PublishWindow window, PositionWatch watch)
    {
        while (reader.TryRead(out JournalRecord record))
        {
            await cutter.AddAsync(record).ConfigureAwait(false);
            if (cutter.IsFull)
            {
                await cutter.CloseAsync().ConfigureAwait(false);
                await window.SettleCompletedAsync().ConfigureAwait(false);
                if (IsAsked(watch))
                {
                    return false;
                }
            }
        }

        return true;
    }

    /// <summary>Whether the receiver misses something that this session did not begin with.</summary>
    private bool IsAsked(PositionWatch watch)
    {
        ReceivedPosition now = watch.Current;
        ledger.Received(now.Position);
        return now.Asked != 0 && now.Asked != _served;
    }

    /// <summary>Waits until the receiver has all, if its word is what counts.</summary>
    private async Task<bool> IsReceivedAsync(long last, PositionWatch watch, CancellationToken cancellationToken)
    {
        while (options.ShippedBy == ShippedBy.Receiver)
        {
            Task changed = watch.Changed;
            if (IsAsked(watch))
            {
                return false;
            }

            if (watch.Current.Position >= last)
            {
                await ReadMissedAsync(watch, cancellationToken).ConfigureAwait(false);
                break;
            }

            await changed.WaitAsync(cancellationToken).ConfigureAwait(false);
        }

        return true;
    }
}
