using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Reads the one frame and writes the few that a handshake has, under one deadline.</summary>
internal sealed class HandshakeWire : IDisposable
{
    private readonly IWire _wire;
    private readonly string _waitingFor;
    private readonly TimeSpan _limit;
    private readonly ITimer _timer;
    private readonly CancellationTokenRegistration _registration;
    private readonly CancellationToken _cancellation;
    private readonly FrameReader _frames = new();
    private byte[] _window = new byte[1024];
    private int _end;
    private readonly TaskCompletionSource<bool> _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _writing;
    private volatile bool _late;
    private volatile bool _evicted;

    public HandshakeWire(IWire wire, string waitingFor, TimeSpan limit, TimeProvider clock, CancellationToken cancellation)
    {
        _wire = wire;
        _waitingFor = waitingFor;
        _limit = limit;
        _cancellation = cancellation;
        _timer = clock.CreateTimer(
            static state =>
            {
                var self = (HandshakeWire)state!;
                self._late = true;
                self.Stop();
            },
            this,
            limit,
            Timeout.InfiniteTimeSpan);
        _registration = cancellation.Register(static state => ((HandshakeWire)state!).Stop(), this);
    }

    /// <summary>Gives this handshake up in favour of a newer one.</summary>
    public void Evict()
    {
        _evicted = true;
        Stop();
    }

    /// <summary>Reads one frame.</summary>
    /// <returns>Its header and body.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.HandshakeTimeout"/>, <see cref="TransportFault.PeerGone"/>, <see cref="TransportFault.FrameCorrupt"/>.</exception>
    public async Task<(ushort Type, Lane Lane, bool More, byte[] Body)> ReadFrameAsync()
    {
        while (true)
        {
            _frames.Feed(_window, 0, _end);
            if (_frames.TryRead(out Frame frame))
            {
                return (frame.Type, frame.Lane, frame.More, _window.AsSpan(frame.Offset, frame.Length).ToArray());
            }

            if (_end == _window.Length)
            {
                // Grows by what has arrived, up to one frame: no more is read.
                Array.Resize(ref _window, Math.Min(_window.Length * 2, FrameHeader.Size + FrameHeader.MaxBody));
            }

            int count = await ReadAsync().ConfigureAwait(false);
            if (count == 0)
            {
                throw Gone(null);
            }

            _end += count;
        }
    }

    /// <summary>Gets what was read behind the frame.</summary>
    public byte[] Leftover() => _window.AsSpan(_frames.Start, _end - _frames.Start).ToArray();

    /// <summary>Writes a whole frame of lane 0.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PeerGone"/>, <see cref="TransportFault.HandshakeTimeout"/>.</exception>
    public void Write(ushort type, ArrayWriter body)
    {
        var frame = new byte[FrameHeader.Size + body.Length];
        FrameHeader.Write(frame, Lane.Control, more: false, type, body.Length);
        body.Written.CopyTo(frame.AsSpan(FrameHeader.Size));
        Interlocked.Exchange(ref _writing, 1);
        try
        {
            _wire.Write(frame, 0, frame.Length);
        }
        catch (IOException e)
        {
            throw Gone(e);
        }
        finally
        {
            Interlocked.Exchange(ref _writing, 0);
        }
    }

    public void Dispose()
    {
        _registration.Dispose();
        _timer.Dispose();
    }

    /// <summary>Ends the wait. The wire is left to its owner, who may have to tell of the refusal before the peer sees the end; only a write that blocks needs it cut.</summary>
    private void Stop()
    {
        _stopped.TrySetResult(true);
        if (Interlocked.CompareExchange(ref _writing, 0, 0) == 1)
        {
            _wire.Abort();
        }
    }

    private async Task<int> ReadAsync()
    {
        Task<int> read = _wire.ReadAsync(_window, _end, _window.Length - _end).AsTask();
        if (await Task.WhenAny(read, _stopped.Task).ConfigureAwait(false) != read)
        {
            _ = read.ContinueWith(static task => task.Exception, TaskScheduler.Default); // ended by the wire's owner, and seen here
            throw Gone(null);
        }

        try
        {
            return await read.ConfigureAwait(false);
        }
        catch (IOException e)
        {
            throw Gone(e);
        }
    }

    private Exception Gone(IOException? cause)
    {
        if (_cancellation.IsCancellationRequested)
        {
            return new OperationCanceledException(_cancellation);
        }

        if (_late)
        {
            return new TransportException(TransportFault.HandshakeTimeout, $"{_waitingFor} did not come within {_limit.TotalSeconds:0.###} s (LinkOptions.HandshakeTimeout); {_end} bytes came.", cause);
        }

        return _evicted
            ? new TransportException(TransportFault.HandshakeTimeout, $"{_waitingFor} had not come when more connections came than may be pending (LinkOptions.MaxPendingHandshakes).", cause)
            : new TransportException(TransportFault.PeerGone, $"The stream ended before {_waitingFor} came.", cause);
    }
}
