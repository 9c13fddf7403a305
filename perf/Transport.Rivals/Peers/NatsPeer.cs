using System;
using System.Buffers;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using NATS.Client.Core;
using Transport.Loads.Events;

namespace Transport.Rivals.Peers;

/// <summary>NATS: a broker on loopback that both sides connect to.</summary>
internal sealed class NatsPeer : IPeer
{
    private const string Program = "nats-server";

    public string Name => "NATS";

    public string Shape => "nats-server on loopback, core publish and subscribe, MessagePack-CSharp";

    public string? Missing => Environment.GetEnvironmentVariable("PATH")!.Split(Path.PathSeparator)
        .Any(folder => File.Exists(Path.Combine(folder, Program))) ? null : $"no {Program} here (Debian: apt-get install {Program})";

    public bool NoticesLoss => false;

    public IPeerReceiver Listen(PeerSink sink) => new Receiver(sink);

    public async Task<IPeerSender> ConnectAsync(string address)
    {
        NatsConnection connection = Connection(address);
        await connection.ConnectAsync().ConfigureAwait(false);
        return new Sender(connection);
    }

    private static NatsConnection Connection(string address) => new(new NatsOpts
    {
        Url = $"nats://127.0.0.1:{address}", SubPendingChannelFullMode = BoundedChannelFullMode.Wait,
    });

    private sealed class Receiver : IPeerReceiver
    {
        private readonly Process _server;
        private readonly NatsConnection _connection;
        private readonly CancellationTokenSource _over = new();
        private readonly int _port = FreePort();

        public Receiver(PeerSink sink)
        {
            _server = Process.Start(new ProcessStartInfo(Program, ["-a", "127.0.0.1", "-p", $"{_port}"])
            {
                UseShellExecute = false, RedirectStandardError = true,
            })!;
            _server.ErrorDataReceived += (_, _) => { };
            _server.BeginErrorReadLine();
            _connection = Connection($"{_port}");
            StartAsync(sink).GetAwaiter().GetResult();
        }

        public string AddressFor(int sender) => $"{_port} -";

        public void Dispose()
        {
            _over.Cancel();
            _connection.DisposeAsync().AsTask().GetAwaiter().GetResult();
            _server.Kill();
            _server.WaitForExit();
            _server.Dispose();
        }

        private static int FreePort()
        {
            using var listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
            return ((IPEndPoint)listener.LocalEndpoint).Port;
        }

        private async Task StartAsync(PeerSink sink)
        {
            for (int i = 0; ; i++)
            {
                try
                {
                    await _connection.ConnectAsync().ConfigureAwait(false);
                    break;
                }
                catch (NatsException) when (i < 100)
                {
                    await Task.Delay(50).ConfigureAwait(false);
                }
            }

            INatsSub<LoadEvent> events =
                await _connection.SubscribeCoreAsync<LoadEvent>("events", serializer: EventSerializer.Instance).ConfigureAwait(false);
            INatsSub<byte[]> bodies = await _connection.SubscribeCoreAsync<byte[]>("bodies").ConfigureAwait(false);
            INatsSub<byte[]> pings = await _connection.SubscribeCoreAsync<byte[]>("pings").ConfigureAwait(false);
            _ = ReadAsync(events, message => Done(() => sink.Take(message.Data!)));
            _ = ReadAsync(bodies, message => Done(() => sink.TakeBody(message.Data)));
            _ = ReadAsync(pings, message => message.ReplyAsync(message.Data));
            await _connection.PingAsync().ConfigureAwait(false);
        }

        private static ValueTask Done(Action take)
        {
            take();
            return default;
        }

        private async Task ReadAsync<T>(INatsSub<T> subscription, Func<NatsMsg<T>, ValueTask> take)
        {
            try
            {
                await foreach (NatsMsg<T> message in subscription.Msgs.ReadAllAsync(_over.Token).ConfigureAwait(false))
                {
                    await take(message).ConfigureAwait(false);
                }
            }
            catch (OperationCanceledException)
            {
                // Disposed.
            }
        }
    }

    private sealed class Sender(NatsConnection connection) : IPeerSender
    {
        private readonly byte[] _small = new byte[64];

        public ValueTask SendAsync(LoadEvent e) => connection.PublishAsync("events", e, serializer: EventSerializer.Instance);

        public ValueTask SendBodyAsync(byte[] body) => connection.PublishAsync("bodies", body);

        public async ValueTask FlushAsync() => await connection.PingAsync().ConfigureAwait(false);

        public async Task PingAsync() => await connection.RequestAsync<byte[], byte[]>("pings", _small).ConfigureAwait(false);

        public void Dispose() => connection.DisposeAsync().AsTask().GetAwaiter().GetResult();
    }

    private sealed class EventSerializer : INatsSerialize<LoadEvent>, INatsDeserialize<LoadEvent>
    {
        public static EventSerializer Instance { get; } = new();

        public void Serialize(IBufferWriter<byte> bufferWriter, LoadEvent value) => PeerCodec.Write(bufferWriter, value);

        public LoadEvent? Deserialize(in ReadOnlySequence<byte> buffer) =>
            MessagePack.MessagePackSerializer.Deserialize<LoadEvent>(buffer, PeerCodec.Options);
    }
}
