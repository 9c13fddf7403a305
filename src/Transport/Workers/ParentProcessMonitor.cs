using System;
using System.Diagnostics;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Ends this process when its main node is gone, whatever its other threads are doing: the one place where a worker is ended by
/// the library. Armed when the link is there, disarmed by the link's orderly end or, in a host, when that has stopped.</summary>
/// <remarks>
/// The end of the stream is the parent monitor. But who reads the stream may be busy in a handler, or find no thread in a pool that
/// blocking work has used up; so one thread of its own also watches the main node's process (pidfd, Linux). The signal PR_SET_PDEATHSIG is
/// not used: it fires when the thread that forked ends, and the parent need not be the main node.
/// </remarks>
internal sealed class ParentProcessMonitor
{
    /// <summary>After the main node's exit the link gets this long to find out, and ordinary exit this long to run; together less than 2
    /// s.</summary>
    private const int LinkMs = 500, ExitMs = 1000;

    private readonly Link _link;
    private readonly int _exitCode;
    private readonly HostStop? _host;

    private ParentProcessMonitor(Link link, int exitCode, HostStop? host)
    {
        _link = link;
        _exitCode = exitCode;
        _host = host;
    }

    /// <param name="link">The link to the main node.</param>
    /// <param name="exitCode">The exit code of a process that is ended.</param>
    /// <param name="host">How a host stops; null: there is none, and the process ends at once.</param>
    /// <exception cref="IOException">No descriptor or no thread is left.</exception>
    public static void Start(Link link, int exitCode, HostStop? host)
    {
        var monitor = new ParentProcessMonitor(link, exitCode, host);
        int? main = MainNodeOf(link.Peer);
        if (RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
        {
            _ = monitor.HoldByLinkAsync();
            return;
        }

        int process = main is > 0 ? EndWatch.OpenPidfd(main.Value) : -1;
        int read, write;
        try
        {
            (read, write) = ChildDescriptors.Pipe();
        }
        catch (IOException)
        {
            ChildDescriptors.Close(process);
            throw;
        }

        if (!Threads.TryStart(new Thread(() => monitor.Hold(process, read)) { IsBackground = true, Name = "main node watch" }.Start))
        {
            ChildDescriptors.Close(process);
            ChildDescriptors.Close(read);
            ChildDescriptors.Close(write);
            throw new IOException("the system has no thread left for it");
        }

        _ = monitor.WakeAtEndAsync(write);
    }

    /// <summary>The process to watch. The system does not say who has the other ends of inherited pipes: the pid that the main node claims
    /// is believed if this process descends from it. Else the link's end alone says that it is gone.</summary>
    private static int? MainNodeOf(LinkPeer peer) => !peer.Identity.IsInherited ? peer.Identity.ProcessId
        : peer.ProcessId is { } claimed && ProcessStatus.IsOrDescendsFrom(CurrentProcess.Id, claimed) ? claimed
        : null;

    private async Task HoldByLinkAsync()
    {
        LinkEnd end = await _link.Completion.ConfigureAwait(false);
        if (Ends(end))
        {
            new Thread(() => EndProcess(WhatOf(end))) { IsBackground = true, Name = "main node gone" }.Start();
        }
    }

    private async Task WakeAtEndAsync(int wake)
    {
        await _link.Completion.ConfigureAwait(false);
        ChildDescriptors.Close(wake); // the other end reads its end
    }

    private void Hold(int process, int wake)
    {
        PollFd[] fds = [new() { Fd = wake, Events = PollFd.Input }, new() { Fd = process, Events = PollFd.Input }];
        try
        {
            ChildDescriptors.Poll(fds, -1);
            if (!fds[0].IsReady)
            {
                ChildDescriptors.Poll(fds.AsSpan(0, 1), LinkMs);
            }
        }
        catch (IOException)
        {
            _ = HoldByLinkAsync(); // poll fails if the system is out of memory: the link's end is left to go by
            return;
        }
        finally
        {
            ChildDescriptors.Close(process);
            ChildDescriptors.Close(wake);
        }

        if (!_link.Completion.IsCompleted)
        {
            const string Why = "The main node's process has ended";
            if (_host is not null)
            {
                _link.Abort(Why);   // the host waits for the link's end
            }

            EndProcess(Why);
        }
        else if (_link.Completion.GetAwaiter().GetResult() is var end && Ends(end))
        {
            EndProcess(WhatOf(end));
        }
    }

    /// <summary>A program whose link was closed in order goes on; a host has no other purpose.</summary>
    private bool Ends(LinkEnd end) => !end.IsClean || _host is not null;

    /// <summary>Only the end of the stream says that the main node is gone; every other fault says what it is.</summary>
    private static string WhatOf(LinkEnd end) =>
        end.Fault == TransportFault.PeerGone ? $"The main node is gone ({end})" : $"The link to the main node ended ({end})";

    private void EndProcess(string why)
    {
        if (_host is { } host && Task.WaitAny([host.Stopped], host.Timeout) == 0)
        {
            return;
        }

        var ordinary = new Thread(() =>
        {
            try
            {
                Console.Error.WriteLine($"{why}: this worker ends with exit code {_exitCode}.");
            }
            catch (IOException)
            {
                // nobody reads it: the pipe ended with the main node
            }

            Environment.Exit(_exitCode);
        })
        {
            IsBackground = true,
            Name = "exit",
        };
        ordinary.Start();
        ordinary.Join(ExitMs); // an exit handler, or a full pipe that nobody reads, may hang it
        if (RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
        {
            using Process self = Process.GetCurrentProcess();
            self.Kill();
            return;
        }

        Libc._exit(_exitCode);
    }
}
