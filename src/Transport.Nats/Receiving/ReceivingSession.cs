using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;
using Transport.Journal;

namespace Transport.Nats;

/// <summary>One try of a receiver: takes the stream's messages from where the server says it stands, writes, flushes, says so and
/// acknowledges, until something fails. One flow of control.</summary>
/// <remarks>The order is: journals are flushed, their positions told, the messages acknowledged. A receiver that is killed between two of
/// these gets messages again that it has, and drops them.</remarks>
/// <param name="server">The server.</param>
/// <param name="options">The options.</param>
/// <param name="books">The journals.</param>
/// <param name="own">This receiver's mark, by which it knows whether another of its name has come.</param>
internal sealed class ReceivingSession(FleetServer server, ReceiverOptions options, ReceiverBooks books, string own)
{
    private const int BytesBetweenFlushes = 4 << 20;

    /// <summary>The most bytes that a block of several packets has when it is taken apart.</summary>
    private const int MostContent = 1 << 20;

    private static readonly TimeSpan BetweenFlushes = TimeSpan.FromMilliseconds(50), LeastAckWait = TimeSpan.FromSeconds(30);

    private readonly ArrayPool<byte> _pool = ArrayPool<byte>.Create(1 << 20, 4);
    private INatsJSMsg<NatsMemoryOwner<byte>>? _last;   // the newest one that was taken and not acknowledged
    private long _unflushed;
    private long _flushed;   // when, as the clock's timestamp

    /// <summary>Receives until something fails.</summary>
    /// <param name="cancellationToken">Ends it.</param>
    /// <returns>A task that never completes but by an exception.</returns>
    /// <exception cref="FleetException">The server could not be used, or <see cref="FleetFault.InUse"/>.</exception>
    /// <exception cref="JournalException">A journal here takes nothing.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public async Task<bool> RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            INatsJSConsumer consumer = await OpenAsync(cancellationToken).ConfigureAwait(false);
            books.Begin();
            await ReceiveAsync(consumer, cancellationToken).ConfigureAwait(false);
            await CheckAsync(cancellationToken).ConfigureAwait(false);
            throw new FleetException(FleetFault.ConnectFailed, "The server has ended the delivery of blocks.");
        }
        catch (Exception e) when (e is NatsException or TimeoutException
            || (e is OperationCanceledException && !cancellationToken.IsCancellationRequested))
        {
            await CheckAsync(cancellationToken).ConfigureAwait(false);
            throw new FleetException(FleetFault.ConnectFailed, $"Nothing can be received: {FleetConnection.Because(e)}.", e);
        }
    }

    private string Key => "receiver." + options.Name;

    /// <summary>Ends with a fault if another receiver of this name has come.</summary>
    private async Task CheckAsync(CancellationToken cancellationToken)
    {
        NatsResult<NATS.Client.KeyValueStore.NatsKVEntry<string>> entry;
        try
        {
            entry = await server.Positions.TryGetEntryAsync<string>(Key, cancellationToken: cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is NatsException or TimeoutException)
        {
            return;
        }

        if (entry.Success && entry.Value.Value is { } mark && mark != own)
        {
            throw new FleetException(FleetFault.InUse,
                $"Another receiver has taken the name {options.Name} of stream {options.Stream.Name}: give each its own "
                    + "(ReceiverOptions.Name, --name).");
        }
    }

    /// <summary>Makes the consumer anew, from what was acknowledged on: what was delivered to this one's predecessor need not be waited
    /// for.</summary>
    private async Task<INatsJSConsumer> OpenAsync(CancellationToken cancellationToken)
    {
        await server.Positions.PutAsync(Key, own, cancellationToken: cancellationToken).ConfigureAwait(false);
        NatsJSContext jetStream = server.JetStream;
        string stream = options.Stream.Name;
        ulong acknowledged = 0;
        try
        {
            INatsJSConsumer before = await jetStream.GetConsumerAsync(stream, options.Name, cancellationToken).ConfigureAwait(false);
            acknowledged = before.Info.AckFloor.StreamSeq;
            await jetStream.DeleteConsumerAsync(stream, options.Name, cancellationToken).ConfigureAwait(false);
        }
        catch (NatsJSApiException e) when (e.Error.Code == FleetConnection.NotFound)
        {
            // The first.
        }

        var config = new ConsumerConfig(options.Name)
        {
            AckPolicy = ConsumerConfigAckPolicy.All,
            AckWait = options.GapPatience * 2 > LeastAckWait ? options.GapPatience * 2 : LeastAckWait,
            MaxAckPending = 8192,
            InactiveThreshold = options.ForgetAfter ?? default,
            DeliverPolicy = acknowledged == 0 ? ConsumerConfigDeliverPolicy.All : ConsumerConfigDeliverPolicy.ByStartSequence,
            OptStartSeq = acknowledged == 0 ? 0 : acknowledged + 1,
        };
        if (options.Machines.Count > 1)
        {
            // Servers before 2.10 know no list, and deliver all: what is not wanted is left out here too.
            config.FilterSubjects = [.. options.Machines.Select(machine => $"{options.Stream.Subject}.{machine}.*")];
        }
        else
        {
            config.FilterSubject = options.Machines.Count == 0 ? options.Stream.AllSubjects
                : $"{options.Stream.Subject}.{options.Machines.First()}.*";
        }

        return await jetStream.CreateOrUpdateConsumerAsync(stream, config, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Takes messages until the server ends their delivery.</summary>
    private async Task ReceiveAsync(INatsJSConsumer consumer, CancellationToken cancellationToken)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        IAsyncEnumerator<INatsJSMsg<NatsMemoryOwner<byte>>> messages = consumer.ConsumeAsync<NatsMemoryOwner<byte>>(
            opts: new NatsJSConsumeOpts { MaxMsgs = 256 }, cancellationToken: ended.Token).GetAsyncEnumerator(ended.Token);
        Task<bool>? next = null;
        try
        {
            while (true)
            {
                next ??= messages.MoveNextAsync().AsTask();
                if (!next.IsCompleted)
                {
                    await FlushAsync(cancellationToken).ConfigureAwait(false);

                    // What is missing is looked at again, and what is idle.
                    TimeSpan patience = books.IsMissing ? options.GapPatience / 10 : options.CloseAfter;
                    _ = await Delay.InTimeAsync(next, options.TimeProvider, patience, cancellationToken).ConfigureAwait(false);
                    cancellationToken.ThrowIfCancellationRequested();
                    continue;
                }

                if (!await next.ConfigureAwait(false))
                {
                    return;
                }

                next = null;
                await TakeAsync(messages.Current).ConfigureAwait(false);
                if (_unflushed >= BytesBetweenFlushes || options.TimeProvider.GetElapsedTime(_flushed) >= BetweenFlushes)
                {
                    await FlushAsync(cancellationToken).ConfigureAwait(false);
                }
            }
        }
        finally
        {
            await ended.CancelAsync().ConfigureAwait(false);
            await ((next as Task) ?? Task.CompletedTask).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await messages.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task TakeAsync(INatsJSMsg<NatsMemoryOwner<byte>> message)
    {
        using NatsMemoryOwner<byte> data = message.Data;
        ulong sequence = message.Metadata?.Sequence.Stream ?? 0;
        if (await TakeAsync(message.Subject, data.Memory).ConfigureAwait(false) is { } fault)
        {
            books.PutAside(message.Subject, sequence, data.Span, fault);
        }

        _last = message;   // its data is given back; what is acknowledged is its address
        _unflushed += data.Length;
    }

    /// <returns>Null, or what is wrong with the message.</returns>
    private async ValueTask<string?> TakeAsync(string subject, ReadOnlyMemory<byte> message)
    {
        if (!Words.TryParse(subject, options.Stream.Subject, out string machine, out Guid journal))
        {
            return $"is no journal's: expected {options.Stream.Subject}.MACHINE.JOURNAL";
        }

        if (options.Machines.Count > 0 && !options.Machines.Contains(machine))
        {
            return null;   // another receiver's
        }

        if (BlockHeader.Read(message.Span, out BlockHeader header) is { } fault)
        {
            return fault;
        }

        if (header.Journal != journal)
        {
            return $"says that it is of journal {Words.Of(header.Journal)}";
        }

        IncomingJournal incoming = books.Of(machine, journal);
        int most = options.MaxPacketBytes + BlockRecord.HeadSize + JournalNode.MaxLength;
        ReadOnlyMemory<byte> content = message[BlockHeader.Size..];
        if (header.Parts > 1)
        {
            if (incoming.Assembly.Add(header, content.Span, most, out ReadOnlyMemory<byte>? whole) is { } wrong)
            {
                return wrong;
            }

            if (whole is null)
            {
                return null;
            }

            (content, header) = (whole.Value, header with { Part = 0, Parts = 1 });
        }

        return await TakeAsync(incoming, header, content, Math.Max(most, MostContent)).ConfigureAwait(false);
    }

    private async ValueTask<string?> TakeAsync(IncomingJournal incoming, BlockHeader header, ReadOnlyMemory<byte> content, int most)
    {
        if (header.ContentBytes > most)
        {
            return $"says that it has {header.ContentBytes} bytes; {most} are taken at most (ReceiverOptions.MaxPacketBytes)";
        }

        byte[]? rented = null;
        try
        {
            if (header.IsCompressed)
            {
                if (!Brotli.TryDecompress(content.Span, header.ContentBytes, _pool, out rented))
                {
                    return $"is malformed: it is no stream of brotli with {header.ContentBytes} bytes";
                }

                content = rented.AsMemory(0, header.ContentBytes);
            }

            if (BlockRecord.Fault(header, content.Span, options.MaxPacketBytes) is { } fault)
            {
                return fault;
            }

            await incoming.TakeAsync(header, content).ConfigureAwait(false);
            return null;
        }
        finally
        {
            if (rented is not null)
            {
                _pool.Return(rented);
            }
        }
    }

    /// <summary>Flushes, tells the shippers, acknowledges.</summary>
    private async ValueTask FlushAsync(CancellationToken cancellationToken)
    {
        (_unflushed, _flushed) = (0, options.TimeProvider.GetTimestamp());
        await books.SettleMissingAsync().ConfigureAwait(false);
        IReadOnlyList<IncomingJournal> all = await books.FlushAsync().ConfigureAwait(false);
        foreach (IncomingJournal changed in all)
        {
            string key = ReceivedPosition.Key(changed.Machine, changed.Id);
            if (changed.Missed > 0)
            {
                // Before the position: who sees one behind a gap finds the gap. With each, so that it is not forgotten before the position.
                await server.Positions.PutAsync(ReceivedPosition.MissedKey(key), changed.Missed.ToString(CultureInfo.InvariantCulture),
                    cancellationToken: cancellationToken).ConfigureAwait(false);
            }

            await server.Positions.PutAsync(key, new ReceivedPosition(changed.Flushed, changed.Asked).ToString(),
                cancellationToken: cancellationToken).ConfigureAwait(false);
            books.Told(changed);
        }

        if (all.Count > 0)
        {
            books.Show();
        }

        await books.CloseIdleAsync().ConfigureAwait(false);

        // What is held is not written: it must come again if this process ends.
        if (_last is { } last && !books.IsMissing)
        {
            _last = null;
            await last.AckAsync(cancellationToken: cancellationToken).ConfigureAwait(false);
        }
    }
}
