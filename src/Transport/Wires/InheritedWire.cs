using System;
using System.IO;
using System.Threading;

namespace Transport;

/// <summary>Two anonymous pipes, one for each direction, which a main node makes and its child inherits. Unix only.</summary>
/// <remarks>
/// <para>Nothing wakes a thread that blocks in a pipe's read or write, and a process that has inherited the other end keeps its end of the
/// stream away. So this side's ends do not block: a thread waits in poll(2), for its pipe or for the wake-up of <see cref="Abort"/>, which
/// is never taken back.</para>
/// <para>The ends are counted handles: one that is closed while a call uses it is closed behind that call. Its number would else be another
/// file's by then.</para>
/// </remarks>
internal sealed class InheritedWire : IWire
{
    private const int AtOnce = 4096;   // PIPE_BUF of Linux: taken whole, or not at all

    private readonly DescriptorHandle _read, _write, _woken, _waking;
    private int _ahead = -1;   // a byte that Look has read, for the next read: both of who accepts, then of the receive thread
    private bool _hasWritten;  // of who shakes hands, then of the send thread
    private int _isAborted;   // 0 or 1: set before the wake-up, read by a thread whose call has ended

    /// <summary>Takes the ends over; they must not block.</summary>
    private InheritedWire(DescriptorHandle read, DescriptorHandle write, DescriptorHandle woken, DescriptorHandle waking, PeerIdentity peer)
    {
        (_read, _write, _woken, _waking) = (read, write, woken, waking);
        Peer = peer;
    }

    public WireKind Kind => WireKind.Inherited;

    /// <summary>Gets or sets who has the other ends; before the wire is used.</summary>
    public PeerIdentity Peer { get; set; }

    /// <summary>Gets the descriptor that is read, for who waits for the input of many wires.</summary>
    public int Descriptor => _read.Fd;

    private bool IsAborted => Volatile.Read(ref _isAborted) != 0;

    /// <summary>Makes the wire of two ends.</summary>
    /// <param name="read">The read end; owned by the wire, also if this fails.</param>
    /// <param name="write">The write end; likewise.</param>
    /// <param name="peer">Who has the other ends.</param>
    /// <exception cref="IOException">No descriptor is left.</exception>
    public static InheritedWire Create(DescriptorHandle read, DescriptorHandle write, PeerIdentity peer)
    {
        Errno error = FileDescriptor.TrySetNonBlocking(read.Fd);
        error = error == Errno.None ? FileDescriptor.TrySetNonBlocking(write.Fd) : error;
        (int woken, int waking) = (-1, -1);
        error = error == Errno.None ? FileDescriptor.TryCreatePipe(out woken, out waking) : error;
        if (error != Errno.None)
        {
            read.Dispose();
            write.Dispose();
            throw new IOException($"The pipes between two processes cannot be prepared: {error.Describe()}.");
        }

        return new InheritedWire(read, write, new DescriptorHandle(woken), new DescriptorHandle(waking), peer);
    }

    /// <summary>Looks, without waiting, what a read would find.</summary>
    /// <returns>poll(2)'s bits: <see cref="PollFd.Input"/>, <see cref="PollFd.HangUp"/> at the end of the stream; 0: a read would
    /// wait.</returns>
    public short Look()
    {
        using var pipe = new Use(_read);
        Span<PollFd> fds = [new PollFd { Fd = pipe.IsOpen ? _read.Fd : InputPoll.Ignored, Events = PollFd.Input }];
        if (!pipe.IsOpen || FileDescriptor.TryPoll(fds, 0, out _) != Errno.None)
        {
            return PollFd.Error;
        }

        short state = fds[0].Revents;
        if ((state & PollFd.HangUp) == 0 || (state & PollFd.Input) == 0 || _ahead >= 0)
        {
            return state;
        }

        // macOS says at the mere end that there is input.
        Span<byte> one = [0];
        _ahead = FileDescriptor.TryRead(_read.Fd, one, out int count) == Errno.None && count == 1 ? one[0] : -1;
        return _ahead >= 0 ? PollFd.Input : PollFd.HangUp;
    }

    public int Read(byte[] buffer, int offset, int count, int patience)
    {
        using var pipe = new Use(_read);
        using var wake = new Use(_woken);
        if (_ahead >= 0 && !IsAborted)
        {
            (buffer[offset], _ahead) = ((byte)_ahead, -1);
            return 1;
        }

        while (pipe.IsOpen && wake.IsOpen && !IsAborted)
        {
            Errno error = FileDescriptor.TryRead(_read.Fd, buffer.AsSpan(offset, count), out int got);
            if (error == Errno.None)
            {
                return got > 0 || !IsAborted ? got : throw WireBroken.Aborted();
            }

            if (error != Errno.EAGAIN)
            {
                throw WireBroken.Read(new IOException(error.Describe()));
            }

            if (!Wait(_read, PollFd.Input, patience))
            {
                return IsAborted ? throw WireBroken.Aborted() : -1;
            }
        }

        throw WireBroken.Aborted();
    }

    public void Write(byte[] buffer, int offset, int count)
    {
        // The handshake's: it fits into an empty pipe, and whoever has filled that before must not hold up the thread of all handshakes.
        bool mayWait = _hasWritten || count > AtOnce;
        using var pipe = new Use(_write);
        using var wake = new Use(_woken);
        while (pipe.IsOpen && wake.IsOpen && !IsAborted)
        {
            Errno error = FileDescriptor.TryWrite(_write.Fd, buffer.AsSpan(offset, count), out int taken);
            if (error == Errno.None)
            {
                offset += taken;
                count -= taken;
                if (count == 0)
                {
                    _hasWritten = true;
                    return;
                }
            }
            else if (error == Errno.EAGAIN && !mayWait)
            {
                throw WireBroken.Write(new IOException("its pipe was full before anything was written to it"));
            }
            else if (error == Errno.EPIPE)
            {
                throw WireBroken.PeerGone();
            }
            else if (error != Errno.EAGAIN)
            {
                throw WireBroken.Write(new IOException(error.Describe()));
            }

            Wait(_write, PollFd.Output, patience: -1);
        }

        throw IsAborted ? WireBroken.Aborted() : WireBroken.Write(new IOException("this side has ended the direction"));
    }

    public void Shutdown() => _write.Dispose();

    public void Abort()
    {
        if (Interlocked.Exchange(ref _isAborted, 1) == 0)
        {
            using (var waking = new Use(_waking))
            {
                if (waking.IsOpen)
                {
                    _ = FileDescriptor.TryWriteAll(_waking.Fd, [1]);   // the one byte that is ever written there: it does not block
                }
            }

            // The peer learns of it by the end of its streams; calls of this side that are still inside close them.
            _write.Dispose();
            _read.Dispose();
        }
    }

    public void Dispose()
    {
        Abort();
        _waking.Dispose();
        _woken.Dispose();
    }

    /// <returns>False if the time is up. Who is woken looks for himself why.</returns>
    private bool Wait(DescriptorHandle pipe, short what, int patience)
    {
        if (patience == 0)
        {
            return false;
        }

        Span<PollFd> fds = [new PollFd { Fd = pipe.Fd, Events = what }, new PollFd { Fd = _woken.Fd, Events = PollFd.Input }];
        Errno error = FileDescriptor.TryPoll(fds, patience, out int ready);
        if (error == Errno.None)
        {
            return ready > 0;
        }

        var cause = new IOException(error.Describe());
        throw what == PollFd.Input ? WireBroken.Read(cause) : WireBroken.Write(cause);
    }

    /// <summary>A call that uses a descriptor: it stays that file's while this lives.</summary>
    private readonly ref struct Use
    {
        private readonly DescriptorHandle _handle;

        public Use(DescriptorHandle handle)
        {
            _handle = handle;
            bool isOpen = false;
            try
            {
                handle.DangerousAddRef(ref isOpen);
            }
            catch (ObjectDisposedException)
            {
                // It was closed before: the call fails.
            }

            IsOpen = isOpen;
        }

        /// <summary>Gets a value indicating whether it can be used.</summary>
        public bool IsOpen { get; }

        public void Dispose()
        {
            if (IsOpen)
            {
                _handle.DangerousRelease();
            }
        }
    }
}
