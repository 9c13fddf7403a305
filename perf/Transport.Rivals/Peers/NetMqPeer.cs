using System;
using System.Buffers;
using System.Threading;
using System.Threading.Tasks;
using NetMQ;
using NetMQ.Sockets;
using Transport.Loads.Events;

namespace Transport.Rivals.Peers;

/// <summary>NetMQ, PUSH to PULL over loopback; REQ and REP for questions. It has no Unix sockets: its <c>ipc:</c> is loopback
/// too.</summary>
internal sealed class NetMqPeer : IPeer
{
    public string Name => "NetMQ";

    public string Shape => "loopback TCP, PUSH/PULL with its usual limit of 1,000, MessagePack-CSharp";

    public bool NoticesLoss => false;

    public IPeerReceiver Listen(PeerSink sink) => new Receiver(sink);

    public Task<IPeerSender> ConnectAsync(string address) => Task.FromResult<IPeerSender>(new Sender(address));

    private sealed class Receiver : IPeerReceiver
    {
        private readonly PullSocket _pull = new();
        private readonly ResponseSocket _answers = new();
        private readonly int _port;
        private readonly int _answerPort;
        private volatile bool _isOver; // set by Dispose, read by the two loops

        public Receiver(PeerSink sink)
        {
            _port = _pull.BindRandomPort("tcp://127.0.0.1");
            _answerPort = _answers.BindRandomPort("tcp://127.0.0.1");
            new Thread(() => Take(sink)) { IsBackground = true }.Start();
            new Thread(Answer) { IsBackground = true }.Start();
        }

        public string AddressFor(int sender) => $"{_port}:{_answerPort} -";

        public void Dispose() => _isOver = true;

        private void Take(PeerSink sink)
        {
            var message = default(Msg);
            message.InitEmpty();
            while (!_isOver)
            {
                if (!_pull.TryReceive(ref message, TimeSpan.FromMilliseconds(100)))
                {
                    continue;
                }

                ReadOnlyMemory<byte> body = message.SliceAsMemory();
                if (body.Span[0] == Framed.Event)
                {
                    sink.Take(PeerCodec.Read(body[1..]));
                }
                else
                {
                    sink.TakeBody(body.Span[1..]);
                }
            }

            message.Close();
            _pull.Dispose();
        }

        private void Answer()
        {
            while (!_isOver)
            {
                if (_answers.TryReceiveFrameBytes(TimeSpan.FromMilliseconds(100), out byte[]? question))
                {
                    _answers.SendFrame(question!);
                }
            }

            _answers.Dispose();
        }
    }

    private sealed class Sender : IPeerSender
    {
        private readonly PushSocket _push = new();
        private readonly RequestSocket _ask = new();
        private readonly ArrayBufferWriter<byte> _event = new(4096);
        private readonly byte[] _small = new byte[64];

        public Sender(string address)
        {
            string[] ports = address.Split(':');
            _push.Options.Linger = TimeSpan.FromSeconds(5);
            _push.Connect($"tcp://127.0.0.1:{ports[0]}");
            _ask.Connect($"tcp://127.0.0.1:{ports[1]}");
        }

        public ValueTask SendAsync(LoadEvent e)
        {
            _event.ResetWrittenCount();
            PeerCodec.Write(_event, e);
            return Send(Framed.Event, _event.WrittenSpan);
        }

        public ValueTask SendBodyAsync(byte[] body) => Send(Framed.Body, body);

        public Task PingAsync()
        {
            _ask.SendFrame(_small);
            _ask.ReceiveFrameBytes();
            return Task.CompletedTask;
        }

        public void Dispose()
        {
            _push.Dispose();
            _ask.Dispose();
        }

        private ValueTask Send(byte kind, ReadOnlySpan<byte> body)
        {
            var message = default(Msg);
            message.InitPool(body.Length + 1);
            Span<byte> bytes = message.Slice();
            bytes[0] = kind;
            body.CopyTo(bytes[1..]);
            _push.Send(ref message, more: false);
            message.Close();
            return default;
        }
    }
}
