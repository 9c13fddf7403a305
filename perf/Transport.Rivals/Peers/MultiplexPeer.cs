using System;
using System.Buffers;
using System.IO;
using System.IO.Pipelines;
using System.Threading.Tasks;
using Nerdbank.Streams;
using Transport.Loads.Events;

namespace Transport.Rivals.Peers;

/// <summary>A channel of Nerdbank.Streams' MultiplexingStream over a Unix socket: a flush an event.</summary>
internal sealed class MultiplexPeer : IPeer
{
    private const string Channel = "events";

    private static readonly MultiplexingStream.Options Options = new()
    {
        ProtocolMajorVersion = 3, DefaultChannelReceivingWindowSize = 1 << 20,
    };

    public string Name => "Nerdbank.Streams";

    public string Shape => "Unix socket, MultiplexingStream channel, MessagePack-CSharp, FlushAsync an event";

    public IPeerReceiver Listen(PeerSink sink) => new SocketReceiver(stream => ServeAsync(stream, sink));

    public async Task<IPeerSender> ConnectAsync(string address)
    {
        MultiplexingStream streams = await MultiplexingStream.CreateAsync(SocketReceiver.Connect(address), Options).ConfigureAwait(false);
        MultiplexingStream.Channel channel = await streams.OfferChannelAsync(Channel).ConfigureAwait(false);
        return new Sender(streams, channel);
    }

    private static async Task ServeAsync(Stream stream, PeerSink sink)
    {
        try
        {
            MultiplexingStream streams = await MultiplexingStream.CreateAsync(stream, Options).ConfigureAwait(false);
            MultiplexingStream.Channel channel = await streams.AcceptChannelAsync(Channel).ConfigureAwait(false);
            await Framed.ReadAsync(channel.AsStream(), sink, PeerCodec.Read).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or EndOfStreamException or ObjectDisposedException or MultiplexingProtocolException)
        {
            sink.SenderGone();
        }
    }

    private sealed class Sender(MultiplexingStream streams, MultiplexingStream.Channel channel) : IPeerSender
    {
        private readonly ArrayBufferWriter<byte> _event = new(4096);
        private readonly Stream _stream = channel.AsStream();

        public async ValueTask SendAsync(LoadEvent e)
        {
            _event.ResetWrittenCount();
            PeerCodec.Write(_event, e);
            await WriteAsync(Framed.Event, _event.WrittenMemory).ConfigureAwait(false);
        }

        public ValueTask SendBodyAsync(byte[] body) => WriteAsync(Framed.Body, body);

        public Task PingAsync() => Framed.PingAsync(_stream);

        public void Dispose() => streams.DisposeAsync().AsTask().GetAwaiter().GetResult();

        private async ValueTask WriteAsync(byte kind, ReadOnlyMemory<byte> body)
        {
            PipeWriter output = channel.Output;
            Framed.WriteHeader(output.GetSpan(Framed.HeaderSize), kind, body.Length);
            output.Advance(Framed.HeaderSize);
            output.Write(body.Span);
            await output.FlushAsync(default).ConfigureAwait(false);
        }
    }
}
