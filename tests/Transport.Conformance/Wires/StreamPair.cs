using System;
using System.IO;
using System.IO.Pipes;
using System.Net.Sockets;
using System.Threading.Tasks;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

/// <summary>The framework's own streams, which the naive way writes to.</summary>
public enum StreamKind
{
    /// <summary>A named pipe opened for asynchronous use.</summary>
    PipeAsynchronous,

    /// <summary>A named pipe opened for synchronous use.</summary>
    PipeSynchronous,

    /// <summary>A NetworkStream over a Unix socket.</summary>
    UnixSocket,
}

/// <summary>Two connected streams of the framework.</summary>
internal sealed class StreamPair : IDisposable
{
    private readonly TestFolder _folder = new();

    private StreamPair()
    {
    }

    public Stream Writer { get; private set; } = Stream.Null;

    public Stream Reader { get; private set; } = Stream.Null;

    public static async Task<StreamPair> OpenAsync(StreamKind kind)
    {
        var pair = new StreamPair();
        string path = pair._folder.Path + "/s";
        if (kind == StreamKind.UnixSocket)
        {
            using Socket listener = UnixSocketEndPoint.NewSocket();
            listener.Bind(new UnixSocketEndPoint(path));
            listener.Listen(1);
            Socket writer = UnixSocketEndPoint.NewSocket();
            writer.Connect(new UnixSocketEndPoint(path));
            pair.Reader = new NetworkStream(listener.Accept(), ownsSocket: true);
            pair.Writer = new NetworkStream(writer, ownsSocket: true);
            return pair;
        }

        PipeOptions options = kind == StreamKind.PipeAsynchronous ? PipeOptions.Asynchronous : PipeOptions.None;
        var server = new NamedPipeServerStream(path, PipeDirection.InOut, 1, PipeTransmissionMode.Byte, options);
        var client = new NamedPipeClientStream(".", path, PipeDirection.InOut, options);
        (pair.Reader, pair.Writer) = (server, client);
        Task waiting = Task.Run(server.WaitForConnection);
        await Task.Run(() => client.Connect((int)WithinExtensions.Bound.TotalMilliseconds)).Within("the pipe client");
        await waiting.Within("the pipe server");
        return pair;
    }

    public void Dispose()
    {
        Writer.Dispose();
        Reader.Dispose();
        _folder.Dispose();
    }
}
