using System;
using System.Threading.Tasks;
using Transport.Loads.Events;
using Transport.Loads.Rivals;

namespace Transport.Rivals.Peers;

/// <summary>This library, with its defaults: SendAsync to a typed handler.</summary>
internal sealed class TransportPeer : IPeer
{
    /// <summary>A packet of 64 bytes, asked and answered.</summary>
    private static readonly PacketType<byte[]> Small = new(1026, "Small", new WholeBody());

    private static readonly PacketType<byte[]> Body = new(BodySet.Type, "Body", new WholeBody());

    public string Name => "Transport";

    public string Shape => "Unix socket, generated MessagePack, SendAsync to a typed handler";

    public IPeerReceiver Listen(PeerSink sink) => new Receiver(sink);

    public Task<IPeerSender> ConnectAsync(string address) => Task.FromResult<IPeerSender>(new Sender(WorkerLink.Connect(address)));

    private sealed class Receiver : IPeerReceiver
    {
        private readonly LinkListener _listener = LinkListener.Start(WireKind.UnixSocket);
        private readonly PeerSink _sink;

        public Receiver(PeerSink sink) => _sink = sink;

        public string AddressFor(int sender)
        {
            LinkTicket ticket = _listener.Expect($"w{sender}");
            _ = RunAsync(ticket);
            return $"{_listener.Endpoint} {ticket.Secret.Reveal()}";
        }

        public void Dispose() => _listener.DisposeAsync().AsTask().GetAwaiter().GetResult();

        private async Task RunAsync(LinkTicket ticket)
        {
            Link link = await ticket.WaitForLinkAsync().ConfigureAwait(false);
            link.Start(new PacketRouter()
                .On(LoadEventFormatter.Type, (one, _) => _sink.Take(one))
                .OnRaw(BodySet.Type, p => _sink.TakeBody(p.Body))
                .OnRequest(Small, Small, (request, _) => Task.FromResult(request)));
            await link.Completion.ConfigureAwait(false);
            _sink.SenderGone();
        }
    }

    private sealed class Sender(Link link) : IPeerSender
    {
        private readonly byte[] _small = [0xc4, 62, .. new byte[62]];

        public ValueTask SendAsync(LoadEvent e) => Checked(link.SendAsync(LoadEventFormatter.Type, e));

        public ValueTask SendBodyAsync(byte[] body) => Checked(link.SendAsync(Body, body));

        public ValueTask<bool> OfferAsync(LoadEvent e) => new(link.TrySend(LoadEventFormatter.Type, e) == SendResult.Queued);

        public Task PingAsync() => link.RequestAsync(Small, Small, _small);

        public void Dispose() => link.CloseAsync(timeout: TimeSpan.FromSeconds(5)).GetAwaiter().GetResult();

        private static ValueTask Checked(ValueTask<SendResult> sending) =>
            sending.IsCompletedSuccessfully && sending.GetAwaiter().GetResult() == SendResult.Queued ? default : AwaitAsync(sending);

        private static async ValueTask AwaitAsync(ValueTask<SendResult> sending)
        {
            if (await sending.ConfigureAwait(false) != SendResult.Queued)
            {
                throw new Transport.Loads.LoadException("The link has ended.");
            }
        }
    }

    private sealed class WholeBody : IPacketFormatter<byte[]>
    {
        public void Write(System.Buffers.IBufferWriter<byte> output, byte[] packet) =>
            System.Buffers.BuffersExtensions.Write(output, packet.AsSpan());

        public byte[] Read(in System.Buffers.ReadOnlySequence<byte> body) => System.Buffers.BuffersExtensions.ToArray(body);
    }
}
