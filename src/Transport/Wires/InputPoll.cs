using System;
using System.IO;
using Mono.Unix.Native;

namespace Transport;

/// <summary>Waits for the input of several descriptors, or for a wake-up (poll(2)). One thread waits; any may wake it.</summary>
internal sealed class InputPoll : IDisposable
{
    /// <summary>Stands for a descriptor that is not waited for: poll skips negative ones.</summary>
    public const int Ignored = -1;

    private readonly int _readEnd;    // of the pipe that wakes the wait; one byte at most is on its way
    private readonly int _writeEnd;
    private Pollfd[] _polled = new Pollfd[16];
    private int _count;

    /// <exception cref="IOException">The system gives no pipe.</exception>
    public InputPoll()
    {
        if (Syscall.pipe(out _readEnd, out _writeEnd) != 0)
        {
            throw new IOException("No pipe to wake the listener could be made: " + Stdlib.strerror(Stdlib.GetLastError()));
        }

        foreach (int end in new[] { _readEnd, _writeEnd })
        {
            Descriptors.KeepFromChildren(end);
            _ = Syscall.fcntl(end, FcntlCommand.F_SETFL, (long)OpenFlags.O_NONBLOCK);
        }
    }

    /// <summary>Starts a new list of descriptors.</summary>
    public void Begin()
    {
        _count = 0;
        Add(_readEnd);
    }

    /// <summary>Adds a descriptor.</summary>
    public void Add(int descriptor)
    {
        if (_count == _polled.Length)
        {
            Array.Resize(ref _polled, _count * 2);
        }

        _polled[_count++] = new Pollfd { fd = descriptor, events = PollEvents.POLLIN };
    }

    /// <summary>Blocks until a descriptor has input, has ended or failed, or <see cref="Wake"/> was called.</summary>
    /// <exception cref="IOException">The system refuses to wait, or something else has closed the pipe: asking again would not help.
    /// </exception>
    public void Wait()
    {
        while (Syscall.poll(_polled, (uint)_count, -1) < 0)
        {
            Errno error = Stdlib.GetLastError();
            if (error != Errno.EINTR)
            {
                throw new IOException($"The system does not wait for {_count} descriptors: {Stdlib.strerror(error)}.");
            }
        }

        if (IsClosed(-1))
        {
            throw new IOException("The pipe that wakes the listener was closed by something else in this process.");
        }

        if (_polled[0].revents != 0)
        {
            Drain();
        }
    }

    /// <summary>Returns whether a read of the descriptor that was added as number <paramref name="index"/>, from 0, does not
    /// wait.</summary>
    public bool HasInput(int index) => _polled[index + 1].revents != 0;

    /// <summary>Returns whether the descriptor that was added as number <paramref name="index"/> is not open.</summary>
    public bool IsClosed(int index) => (_polled[index + 1].revents & PollEvents.POLLNVAL) != 0;

    /// <summary>Ends a wait, or the next one. Not after <see cref="Dispose"/>.</summary>
    public unsafe void Wake()
    {
        byte one = 1;
        _ = Syscall.write(_writeEnd, &one, 1);   // a full pipe wakes as well
    }

    /// <summary>Closes the pipe. Nobody may wait.</summary>
    public void Dispose()
    {
        _ = Syscall.close(_readEnd);
        _ = Syscall.close(_writeEnd);
    }

    private unsafe void Drain()
    {
        byte* bytes = stackalloc byte[64];
        while (Syscall.read(_readEnd, bytes, 64) > 0)
        {
        }
    }
}
