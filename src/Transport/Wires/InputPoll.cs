using System;
using System.IO;

namespace Transport;

/// <summary>Waits for the input of several descriptors, or for a wake-up (poll(2)). One thread waits; any may wake it.</summary>
internal sealed class InputPoll : IDisposable
{
    /// <summary>Stands for a descriptor that is not waited for: poll skips negative ones.</summary>
    public const int Ignored = -1;

    private const short NotOpen = 32;   // POLLNVAL

    private readonly WakePipe _wake;
    private PollFd[] _polled = new PollFd[16];
    private int _count;

    /// <exception cref="IOException">The system gives no pipe.</exception>
    public InputPoll()
    {
        Errno error = WakePipe.TryCreate(out WakePipe? wake);
        _wake = wake ?? throw new IOException($"No pipe to wake the listener could be made: {error.Describe()}.");
    }

    /// <summary>Starts a new list of descriptors.</summary>
    public void Begin()
    {
        _count = 0;
        Add(_wake.ReadEnd);
    }

    /// <summary>Adds a descriptor.</summary>
    public void Add(int descriptor)
    {
        if (_count == _polled.Length)
        {
            Array.Resize(ref _polled, _count * 2);
        }

        _polled[_count++] = new PollFd { Fd = descriptor, Events = PollFd.Input };
    }

    /// <summary>Blocks until a descriptor has input, has ended or failed, or <see cref="Wake"/> was called.</summary>
    /// <exception cref="IOException">The system refuses to wait, or something else has closed the pipe: asking again would not help.
    /// </exception>
    public void Wait()
    {
        Errno error = FileDescriptor.TryPoll(_polled.AsSpan(0, _count), milliseconds: -1, out _);
        if (error != Errno.None)
        {
            throw new IOException($"poll() failed for {_count} descriptors: {error.Describe()}.");
        }

        if (IsClosed(-1))
        {
            throw new IOException("The pipe that wakes the listener was closed by something else in this process.");
        }

        if (_polled[0].IsReady)
        {
            _wake.Reset();
        }
    }

    /// <summary>Returns whether a read of the descriptor that was added as number <paramref name="index"/>, from 0, does not
    /// wait.</summary>
    public bool HasInput(int index) => _polled[index + 1].Revents != 0;

    /// <summary>Returns whether the descriptor that was added as number <paramref name="index"/> is not open.</summary>
    public bool IsClosed(int index) => (_polled[index + 1].Revents & NotOpen) != 0;

    /// <summary>Ends a wait, or the next one. Not after <see cref="Dispose"/>.</summary>
    public void Wake() => _wake.Signal();

    /// <summary>Closes the pipe. Nobody may wait.</summary>
    public void Dispose() => _wake.Dispose();
}
