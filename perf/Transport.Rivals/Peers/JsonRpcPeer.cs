using System;
using System.IO;
using System.Net.Sockets;
using System.Threading.Tasks;
using Microsoft.VisualStudio.Threading;
using StreamJsonRpc;
using Transport.Loads.Events;

namespace Transport.Rivals.Peers;

/// <summary>StreamJsonRpc over a Unix socket with its MessagePack formatter: a notification an event.</summary>
internal sealed class JsonRpcPeer : IPeer
{
    public string Name => "StreamJsonRpc";

    public string Shape => "Unix socket, MessagePackFormatter, NotifyAsync an event";

    public IPeerReceiver Listen(PeerSink sink) => new SocketReceiver(stream => Serve(stream, sink));

    public Task<IPeerSender> ConnectAsync(string address)
    {
        JsonRpc rpc = Make(SocketReceiver.Connect(address));
        rpc.StartListening();
        return Task.FromResult<IPeerSender>(new Sender(rpc));
    }

    private static JsonRpc Make(Stream stream)
    {
        var formatter = new MessagePackFormatter();
        formatter.SetMessagePackSerializerOptions(PeerCodec.Options);
        return new JsonRpc(new LengthHeaderMessageHandler(stream, stream, formatter));
    }

    private static async Task Serve(Stream stream, PeerSink sink)
    {
        JsonRpc rpc = Make(stream);
        // Without it calls run side by side, in any order.
        rpc.SynchronizationContext = new NonConcurrentSynchronizationContext(sticky: false);
        rpc.AddLocalRpcMethod("event", new Action<LoadEvent>(sink.Take));
        rpc.AddLocalRpcMethod("body", new Action<byte[]>(body => sink.TakeBody(body)));
        rpc.AddLocalRpcMethod("ping", new Func<byte[], byte[]>(small => small));
        rpc.StartListening();
        try
        {
            await rpc.Completion.ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or SocketException or ConnectionLostException)
        {
            // That it is gone is said below.
        }

        sink.SenderGone();
    }

    private sealed class Sender(JsonRpc rpc) : IPeerSender
    {
        private readonly byte[] _small = new byte[62];

        public ValueTask SendAsync(LoadEvent e) => new(rpc.NotifyAsync("event", e));

        public ValueTask SendBodyAsync(byte[] body) => new(rpc.NotifyAsync("body", (object)body));

        public Task PingAsync() => rpc.InvokeAsync<byte[]>("ping", (object)_small);

        public void Dispose() => rpc.Dispose();
    }
}
