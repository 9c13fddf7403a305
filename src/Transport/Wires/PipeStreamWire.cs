using System;
using System.IO;
using System.IO.Pipes;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>A connected named pipe through .NET's own stream: the wire of kind <see cref="WireKind.NamedPipe"/> on Windows.</summary>
/// <remarks>
/// <para>The stream is asynchronous, because a synchronous handle would block writes behind a pending read. So a read that is not answered
/// in
/// time stays pending, and its bytes go into a buffer of the wire's own.</para>
/// <para>A Windows pipe cannot be closed in one direction, so <see cref="Shutdown"/> only begins to wait, on the pool, until the peer has
/// read everything; the peer sees the end of the stream when this side disposes the wire. If that comes first, the wait has a quarter of a
/// second left.</para>
/// </remarks>
/// <param name="stream">The stream; the wire owns it.</param>
/// <param name="peer">The peer's identity.</param>
/// <param name="drain">Blocks until the peer has read everything; null if the system keeps what is written for a peer that reads after the
/// end.</param>
internal sealed class PipeStreamWire(PipeStream stream, PeerIdentity peer, Action? drain) : IWire
{
    private const int InputBuffer = 64 << 10;

    private static readonly TimeSpan DrainLimit = TimeSpan.FromMilliseconds(250);

    private readonly object _gate = new();   // around the next; taken alone
    private Task? _draining;

    private byte[]? _input;         // the reading thread's, with the next three
    private int _start;
    private int _end;
    private Task<int>? _reading;
    private int _isAborted;         // 0 or 1: set before the stream is disposed, read by a thread whose call has failed

    public WireKind Kind => WireKind.NamedPipe;

    public PeerIdentity Peer { get; } = peer;

    private bool IsAborted => Volatile.Read(ref _isAborted) != 0;

    /// <summary>Returns what completes when <see cref="Read"/> would not wait. Never faults synchronously.</summary>
    public Task WhenReadable()
    {
        try
        {
            return _start < _end ? Task.CompletedTask : BeginRead();
        }
        catch (Exception e) when (IsEnd(e))
        {
            return Task.CompletedTask;   // the read says what is wrong
        }
    }

    public int Read(byte[] buffer, int offset, int count, int patience)
    {
        if (IsAborted)
        {
            throw WireBroken.Aborted();
        }

        try
        {
            if (_start == _end && !TryFill(patience))
            {
                return -1;
            }
        }
        catch (Exception e) when (IsEnd(e))
        {
            throw IsAborted ? WireBroken.Aborted() : WireBroken.Read(e);
        }

        if (_start == _end)
        {
            return IsAborted ? throw WireBroken.Aborted() : 0;
        }

        int taken = Math.Min(count, _end - _start);
        Buffer.BlockCopy(_input!, _start, buffer, offset, taken);
        _start += taken;
        return taken;
    }

    public void Write(byte[] buffer, int offset, int count)
    {
        try
        {
            stream.Write(buffer, offset, count);
        }
        catch (Exception e) when (IsEnd(e))
        {
            throw IsAborted ? WireBroken.Aborted() : WireBroken.Write(e);
        }
    }

    public void Shutdown()
    {
        if (drain is not null)
        {
            lock (_gate)
            {
                _draining = Task.Run(() => Try(drain));
            }
        }
    }

    public void Abort()
    {
        if (Interlocked.Exchange(ref _isAborted, 1) != 0)
        {
            return;
        }

        lock (_gate)
        {
            if (_draining is { IsCompleted: false })
            {
                _ = EndAsync(_draining);
                return;
            }
        }

        stream.Dispose();
    }

    public void Dispose() => Abort();

    /// <summary>Ends the stream once it is drained. A drain holds the handle until the peer has read everything: one that does not is cut
    /// off.</summary>
    private async Task EndAsync(Task draining)
    {
        await Task.WhenAny(draining, Task.Delay(DrainLimit)).ConfigureAwait(false);
        if (!draining.IsCompleted && stream is NamedPipeServerStream server)
        {
            Try(server.Disconnect);
        }

        stream.Dispose();
    }

    private static void Try(Action end)
    {
        try
        {
            end();
        }
        catch (Exception e) when (IsEnd(e))
        {
            // The peer was faster: what should end has ended.
        }
    }

    private static bool IsEnd(Exception e) =>
        e is IOException or ObjectDisposedException or OperationCanceledException or InvalidOperationException;

    private Task<int> BeginRead() => _reading ??= stream.ReadAsync(_input ??= new byte[InputBuffer], 0, InputBuffer);

    /// <summary>Waits for a read of the stream.</summary>
    /// <returns>False if it was not answered in time; true also at the end of the stream, with an empty buffer.</returns>
    private bool TryFill(int patience)
    {
        Task<int> reading = BeginRead();
        if (Task.WaitAny([reading], patience) < 0)
        {
            return false;
        }

        _reading = null;
        _start = 0;
        _end = 0;
        _end = reading.GetAwaiter().GetResult();
        return true;
    }
}
