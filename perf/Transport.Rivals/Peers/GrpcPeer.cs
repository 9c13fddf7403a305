using System;
using System.IO;
using System.Net.Http;
using System.Net.Sockets;
using System.Threading.Tasks;
using Google.Protobuf;
using Grpc.Core;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Transport.Loads.Events;
using Transport.Loads.Scratch;
using Transport.Rivals.Proto;

namespace Transport.Rivals.Peers;

/// <summary>gRPC over a Unix socket, Kestrel at the receiving end: one client stream, protobuf; a unary call for questions.</summary>
internal sealed class GrpcPeer : IPeer
{
    public string Name => "gRPC";

    public string Shape => "Unix socket, Kestrel, client streaming, protobuf";

    public IPeerReceiver Listen(PeerSink sink) => new Receiver(sink);

    public Task<IPeerSender> ConnectAsync(string address)
    {
        var handler = new SocketsHttpHandler
        {
            ConnectCallback = async (_, token) =>
            {
                var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
                await socket.ConnectAsync(new UnixDomainSocketEndPoint(address), token).ConfigureAwait(false);
                return new NetworkStream(socket, ownsSocket: true);
            },
        };
        GrpcChannel channel = GrpcChannel.ForAddress("http://localhost", new GrpcChannelOptions { HttpHandler = handler });
        return Task.FromResult<IPeerSender>(new Sender(channel));
    }

    private static Event ToProto(LoadEvent e) => new()
    {
        Id = e.Id, Ticks = e.Ticks, Importance = e.Importance, Project = e.Project, Target = e.Target, Sender = e.Sender,
        Message = e.Message,
    };

    private static LoadEvent FromProto(Event e) => new()
    {
        Id = e.Id, Ticks = e.Ticks, Importance = e.Importance, Project = e.Project, Target = e.Target, Sender = e.Sender,
        Message = e.Message,
    };

    private sealed class Receiver : IPeerReceiver
    {
        private readonly string _path = ScratchPath.New("socket");
        private readonly WebApplication _application;

        public Receiver(PeerSink sink)
        {
            WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
            builder.Logging.ClearProviders();
            builder.WebHost.ConfigureKestrel(kestrel =>
                kestrel.ListenUnixSocket(_path, endpoint => endpoint.Protocols = HttpProtocols.Http2));
            builder.Services.AddGrpc();
            builder.Services.AddSingleton(sink);
            _application = builder.Build();
            _application.MapGrpcService<Service>();
            _application.StartAsync().GetAwaiter().GetResult();
        }

        public string AddressFor(int sender) => _path + " -";

        public void Dispose() => _application.StopAsync(new System.Threading.CancellationTokenSource(1000).Token).GetAwaiter().GetResult();
    }

    private sealed class Service(PeerSink sink) : Events.EventsBase
    {
        public override async Task<Done> Stream(IAsyncStreamReader<Event> requestStream, ServerCallContext context)
        {
            try
            {
                while (await requestStream.MoveNext(context.CancellationToken).ConfigureAwait(false))
                {
                    Event e = requestStream.Current;
                    if (e.Body.IsEmpty)
                    {
                        sink.Take(FromProto(e));
                    }
                    else
                    {
                        sink.TakeBody(e.Body.Span);
                    }
                }
            }
            catch (Exception e) when (e is IOException or OperationCanceledException or InvalidOperationException)
            {
                // That it is gone is said below.
            }

            sink.SenderGone();
            return new Done();
        }

        public override Task<Event> Ask(Event request, ServerCallContext context) => Task.FromResult(request);
    }

    private sealed class Sender : IPeerSender
    {
        private readonly GrpcChannel _channel;
        private readonly Events.EventsClient _client;
        private readonly Event _small = new() { Body = ByteString.CopyFrom(new byte[60]) };
        private AsyncClientStreamingCall<Event, Done>? _call;

        public Sender(GrpcChannel channel)
        {
            _channel = channel;
            _client = new Events.EventsClient(channel);
        }

        public ValueTask SendAsync(LoadEvent e) => new((_call ??= _client.Stream()).RequestStream.WriteAsync(ToProto(e)));

        public ValueTask SendBodyAsync(byte[] body) =>
            new((_call ??= _client.Stream()).RequestStream.WriteAsync(new Event { Body = UnsafeByteOperations.UnsafeWrap(body) }));

        public async Task PingAsync() => await _client.AskAsync(_small).ConfigureAwait(false);

        public void Dispose()
        {
            _call?.RequestStream.CompleteAsync().Wait(TimeSpan.FromSeconds(5));
            _channel.Dispose();
        }
    }
}
