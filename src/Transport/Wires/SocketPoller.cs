using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;
using Mono.Unix.Native;

namespace Transport;

/// <summary>One thread that waits for the input of many idle sockets; there only while one of them is known to it. Safe for any thread.</summary>
/// <remarks>
/// The runtime's own poller, once it knows a socket, is woken by everything that happens to it for as long as the socket is open: two
/// context switches a packet, also where a thread of ours reads it. Here each wait is armed for one event, so a busy link is not heard of:
/// a round trip took 28 µs through the runtime's poller. Links share one by what they were made from: a listener, or one LinkOptions.
/// </remarks>
internal sealed class SocketPoller
{
    private const int EventsAtOnce = 64;
    private const long Bell = 0;

    private readonly Dictionary<long, SocketWait> _waits = [];
    private long _lastNumber = Bell;
    private int _epoll = -1;
    private int _bell = -1;

    /// <summary>Makes a wait for a socket.</summary>
    /// <param name="descriptor">The socket's; it must stay open until <see cref="Remove"/>.</param>
    /// <returns>The wait; null where the system has no epoll, or no descriptor or thread left for it.</returns>
    public SocketWait? TryAdd(int descriptor)
    {
        lock (_waits)
        {
            if (_epoll < 0 && !TryOpen())
            {
                return null;
            }

            var wait = new SocketWait(_epoll, descriptor, ++_lastNumber);
            _waits.Add(wait.Number, wait);
            return wait;
        }
    }

    /// <summary>Ends a wait: whoever waits is woken, as if something had come.</summary>
    public void Remove(SocketWait wait)
    {
        lock (_waits)
        {
            if (_waits.Remove(wait.Number) && _waits.Count == 0)
            {
                // The thread closes both: until it has woken nobody may get their numbers.
                Epoll.Ring(_bell);
                (_epoll, _bell) = (-1, -1);
            }
        }

        wait.Wake();
    }

    private bool TryOpen()
    {
        if (!RuntimeInformation.IsOSPlatform(OSPlatform.Linux))
        {
            return false;
        }

        int epoll = Epoll.Create();
        int bell = Epoll.CreateBell();
        if (epoll >= 0 && bell >= 0 && Epoll.Control(epoll, Epoll.Add, bell, Epoll.Entry(Epoll.Readable, Bell))
            && Threads.TryStart(new Thread(() => Run(epoll, bell), maxStackSize: 128 << 10) { IsBackground = true, Name = "transport wait" }.Start))
        {
            (_epoll, _bell) = (epoll, bell);
            return true;
        }

        Close(epoll);
        Close(bell);
        return false;
    }

    private void Run(int epoll, int bell)
    {
        byte[] events = new byte[EventsAtOnce * Epoll.EventSize];
        bool rung = false;
        while (!rung)
        {
            int count = Epoll.Wait(epoll, events);
            if (count < 0 && Marshal.GetLastWin32Error() != Epoll.Interrupted)
            {
                throw new InvalidOperationException($"epoll_wait failed with error {Marshal.GetLastWin32Error()} on a descriptor of this library's own: something else in the process has closed it.");
            }

            for (int i = 0; i < count; i++)
            {
                long number = Epoll.NumberOf(events, i);
                rung |= number == Bell;
                Find(number)?.Wake();
            }
        }

        Close(epoll);
        Close(bell);
    }

    private static void Close(int descriptor)
    {
        if (descriptor >= 0)
        {
            _ = Syscall.close(descriptor);
        }
    }

    private SocketWait? Find(long number)
    {
        lock (_waits)
        {
            return _waits.TryGetValue(number, out SocketWait? wait) ? wait : null;
        }
    }
}
