using System;
using System.Diagnostics;
using System.IO;
using System.Threading;

namespace Transport.Logging;

/// <summary>Pipes in the place of descriptors 1 and 2, and a thread that reads them: native code and child processes are captured
/// too.</summary>
internal sealed class DescriptorSource : IStdioSource
{
    private const int ReadSize = 64 << 10;
    private const int StackSize = 256 << 10;
    private const int FlushMs = 1000;

    private readonly Descriptor? _out;
    private readonly Descriptor? _error;
    private readonly Thread _pump;
    private readonly WakePipe _wake;
    private TimeSpan _deadline;

    public DescriptorSource(LineSplitter? stdout, LineSplitter? stderr)
    {
        Errno error = WakePipe.TryCreate(out WakePipe? wake);
        _wake = wake ?? throw new IOException($"No pipe for the capture of this process's output: {error.Describe()}.");

        try
        {
            _out = stdout is null ? null : new Descriptor(1, stdout);
            _error = stderr is null ? null : new Descriptor(2, stderr);
        }
        catch
        {
            _out?.Restore();
            _out?.CloseRest();
            _wake.Dispose();
            throw;
        }

        _pump = new Thread(Pump, StackSize) { IsBackground = true, Name = "Transport stdio capture" };
    }

    public void Start() => _pump.Start();

    public void Stop(TimeSpan deadline)
    {
        FlushNativeOutput();
        _out?.Restore();
        _error?.Restore();
        _deadline = deadline;
        _wake.Signal();
        if (Thread.CurrentThread != _pump)
        {
            // The pump is bound by the same deadline; the rest is for a write to the original streams that hangs.
            _pump.Join(deadline + TimeSpan.FromSeconds(5));
        }
    }

    public void WriteOriginal(OutputStream stream, string line) => (stream == OutputStream.Error ? _error : _out)?.WriteOriginal(line);

    // A thread of this process may hold a lock of libc's streams forever, so this flush must not be waited for that long.
    private static void FlushNativeOutput()
    {
        var flusher = new Thread(() => _ = Libc.fflush(IntPtr.Zero), StackSize) { IsBackground = true, Name = "Transport stdio flush" };
        flusher.Start();
        flusher.Join(FlushMs);
    }

    private void Pump()
    {
        var buffer = new byte[ReadSize];
        Descriptor?[] sources = [null, _out, _error];
        var fds = new PollFd[sources.Length];
        for (int i = 0; i < fds.Length; i++)
        {
            fds[i] = new PollFd { Fd = i == 0 ? _wake.ReadEnd : sources[i]?.ReadEnd ?? -1, Events = PollFd.Input };
        }

        // Once stopped, an empty pipe is the end: a child process may keep its own copy of the write end open forever.
        Stopwatch? stopped = null;
        while (FileDescriptor.TryPoll(fds, stopped is null ? -1 : 0, out int ready) == Errno.None && ready > 0
            && (stopped is null || stopped.Elapsed <= _deadline))
        {
            if (stopped is null && fds[0].Revents != 0)
            {
                stopped = Stopwatch.StartNew();
                fds[0].Fd = -1;
                fds[0].Revents = 0;
            }

            for (int i = 1; i < fds.Length; i++)
            {
                if (fds[i].Revents != 0 && !sources[i]!.ReadSome(buffer))
                {
                    fds[i].Fd = -1;
                }
            }
        }

        _out?.Finish();
        _error?.Finish();
        _wake.Dispose();
    }
}
