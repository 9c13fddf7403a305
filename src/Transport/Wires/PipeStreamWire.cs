using System;
using System.IO;
using System.IO.Pipes;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>A connected named pipe through .NET's own stream: the wire of kind "pipe" on Windows.</summary>
/// <remarks>
/// A Windows pipe cannot be closed in one direction, so <see cref="CompleteWriting"/> only waits until the peer has read
/// everything; the peer sees the end of the stream when this side disposes the wire.
/// </remarks>
internal sealed class PipeStreamWire(PipeStream stream, PeerIdentity peer) : IWire
{
    private int _aborted;

    public string Kind => WireEndpoint.Pipe;

    public PeerIdentity Peer { get; } = peer;

    public async ValueTask<int> ReadAsync(byte[] buffer, int offset, int count)
    {
        try
        {
            int read = await stream.ReadAsync(buffer, offset, count).ConfigureAwait(false);
            return read > 0 || Volatile.Read(ref _aborted) == 0 ? read : throw WireBroken.Aborted();
        }
        catch (Exception e) when (IsEnd(e))
        {
            throw Volatile.Read(ref _aborted) != 0 ? WireBroken.Aborted() : WireBroken.Read(e);
        }
    }

    public void Write(byte[] buffer, int offset, int count)
    {
        try
        {
            stream.Write(buffer, offset, count);
        }
        catch (Exception e) when (IsEnd(e))
        {
            throw Volatile.Read(ref _aborted) != 0 ? WireBroken.Aborted() : WireBroken.Write(e);
        }
    }

    public void CompleteWriting()
    {
        if (!SocketPath.IsWindows)
        {
            return;
        }

        try
        {
#pragma warning disable CA1416 // Guarded above; the check is not known to the analyzer.
            stream.WaitForPipeDrain();
#pragma warning restore CA1416
        }
        catch (Exception e) when (IsEnd(e))
        {
            // The peer was faster: what should end has ended.
        }
    }

    public void Abort()
    {
        if (Interlocked.Exchange(ref _aborted, 1) == 0)
        {
            stream.Dispose();
        }
    }

    public void Dispose() => Abort();

    private static bool IsEnd(Exception e) => e is IOException or ObjectDisposedException or OperationCanceledException or InvalidOperationException;
}
