using System;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;

namespace Transport.Loads.Farm;

/// <summary>A request by NATS.Net alone: published into a work-queue stream, pulled, answered to an inbox, acknowledged.</summary>
internal sealed class BareWork : IAsyncDisposable
{
    private const string Stream = "BARE", Subject = "bare.work";

    private readonly NatsConnection _asks, _answers;
    private readonly NatsJSContext _jetStream;
    private readonly CancellationTokenSource _ended = new();
    private readonly INatsSub<byte[]> _inbox;
    private readonly string _address;
    private readonly Task _answering;

    private BareWork(NatsConnection asks, NatsConnection answers, INatsSub<byte[]> inbox, string address, INatsJSConsumer consumer)
    {
        (_asks, _answers, _inbox, _address) = (asks, answers, inbox, address);
        _jetStream = new NatsJSContext(asks);
        _answering = Task.Run(() => AnswerAsync(consumer));
    }

    public static async Task<BareWork> StartAsync(FarmServer server)
    {
        (NatsConnection asks, NatsConnection answers) = (server.Connect(), server.Connect());
        var jetStream = new NatsJSContext(answers);
        await jetStream.CreateStreamAsync(new StreamConfig(Stream, [Subject]) { Retention = StreamConfigRetention.Workqueue })
            .ConfigureAwait(false);
        INatsJSConsumer consumer = await jetStream.CreateOrUpdateConsumerAsync(
            Stream, new ConsumerConfig("workers") { AckPolicy = ConsumerConfigAckPolicy.Explicit }).ConfigureAwait(false);
        string address = asks.NewInbox();
        INatsSub<byte[]> inbox = await asks.SubscribeCoreAsync<byte[]>(address).ConfigureAwait(false);
        return new BareWork(asks, answers, inbox, address, consumer);
    }

    /// <summary>Asks once, and waits for the answer.</summary>
    public async Task AskAsync()
    {
        var headers = new NatsHeaders { ["Answer"] = _address };
        PubAckResponse taken = await _jetStream.PublishAsync(Subject, new byte[64], headers: headers).ConfigureAwait(false);
        taken.EnsureSuccess();
        NatsMsg<byte[]> answer = await _inbox.Msgs.ReadAsync().ConfigureAwait(false);
        if (answer.Data is not { Length: 32 })
        {
            throw new LoadException("An answer was changed.");
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        await _answering.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _inbox.DisposeAsync().ConfigureAwait(false);
        await _asks.DisposeAsync().ConfigureAwait(false);
        await _answers.DisposeAsync().ConfigureAwait(false);
    }

    private async Task AnswerAsync(INatsJSConsumer consumer)
    {
        while (!_ended.IsCancellationRequested)
        {
            if (await consumer.NextAsync<byte[]>(cancellationToken: _ended.Token).ConfigureAwait(false) is { } message)
            {
                await _answers.PublishAsync(message.Headers!["Answer"].ToString(), new byte[32]).ConfigureAwait(false);
                await message.AckAsync().ConfigureAwait(false);
            }
        }
    }
}
