using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Transport.Packets;
using Transport.Wires;

namespace Transport.Links;

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
                self._wire.Abort();
            },
            this,
            limit,
            Timeout.InfiniteTimeSpan);
        _registration = cancellation.Register(static state => ((IWire)state!).Abort(), wire);
    }

    /// <summary>Gives this handshake up in favour of a newer one.</summary>
    public void Evict()
    {
        _evicted = true;
        _wire.Abort();
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
                // Grows by what has arrived; one frame has at most 64 KiB.
                Array.Resize(ref _window, _window.Length * 2);
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
        try
        {
            _wire.Write(frame, 0, frame.Length);
        }
        catch (IOException e)
        {
            throw Gone(e);
        }
    }

    public void Dispose()
    {
        _registration.Dispose();
        _timer.Dispose();
    }

    private async Task<int> ReadAsync()
    {
        try
        {
            return await _wire.ReadAsync(_window, _end, _window.Length - _end).ConfigureAwait(false);
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
