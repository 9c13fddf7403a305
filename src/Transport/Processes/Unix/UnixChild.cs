using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>A child on Unix. One thread polls both output pipes and the child's end, and reaps it.</summary>
/// <remarks>A thread a child is fine for the few workers a machine has use for; nothing is shared between children, so none can delay
/// another.</remarks>
internal sealed class UnixChild : IChild
{
    /// <summary>The most that a pipe holds (/proc/sys/fs/pipe-max-size): what the child wrote before its end is within the next so many
    /// bytes.</summary>
    private const int PipeMost = 1 << 20;

    private readonly object _reap = new();
    private readonly TaskCompletionSource<ProcessExit> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly OutputSink _sink;
    private readonly OomWatch _memory;
    private ProcessExit? _end;

    private UnixChild(int pid, string executable, OutputSink sink, OomLedger ledger)
    {
        ProcessId = pid;
        Executable = executable;
        _sink = sink;
        _memory = new OomWatch(pid, ledger, new ControlGroup());
    }

    public int ProcessId { get; }

    public string Executable { get; }

    public bool KilledHere { get; private set; }

    public bool TerminatedHere { get; private set; }

    public unsafe bool HasExited
    {
        get
        {
            // Asked only: if there is nothing to report the first field stays 0, and an error says that there is no such child any more.
            byte* siginfo = stackalloc byte[256];
            *(int*)siginfo = 0;
            lock (_reap)
            {
                return _end is not null || Libc.waitid(Libc.PPid, ProcessId, siginfo, Libc.WExited | Libc.WNoWait | Libc.WNoHang) != 0
                    || *(int*)siginfo != 0;
            }
        }
    }

    public Task<ProcessExit> Ended => _ended.Task;

    /// <summary>Starts a program, or says why that is not possible.</summary>
    /// <param name="start">What to start.</param>
    /// <param name="sink">Takes its output.</param>
    /// <param name="ledger">Shared by all that may die in the same control groups.</param>
    /// <param name="watch">Opens what reports the child's end.</param>
    /// <param name="error">Why it was not started, or null.</param>
    /// <param name="begin">Starts the child's thread; null: as usual. For tests.</param>
    public static IChild? TryStart(
        ProcessStartOptions start,
        OutputSink sink,
        OomLedger ledger,
        Func<int, EndWatch> watch,
        out StartError? error,
        Action<Thread>? begin = null)
    {
        Dictionary<string, string> environment = ChildEnvironment.Of(start);
        environment.TryGetValue("PATH", out string? path);
        string? file = ProgramSearch.Find(start.FileName, path, IsExecutable, out error);
        if (file is null)
        {
            return null;
        }

        if (start.WorkingDirectory is { } folder && !Directory.Exists(folder))
        {
            error = new StartError(
                StartFailure.Other, $"\"{start.FileName}\" was not started: its working folder \"{folder}\" does not exist.");
            return null;
        }

        try
        {
            // The thread before the process: one that nobody reads and reaps must not be.
            var spawned = new SemaphoreSlim(0);
            Action? follow = null;
            var thread = new Thread(
                () =>
                {
                    spawned.Wait();
                    follow?.Invoke();
                },
                1 << 20) { IsBackground = true };
            if (!Threads.TryStart(begin is null ? thread.Start : () => begin(thread)))
            {
                error = new StartError(
                    StartFailure.Other,
                    $"\"{start.FileName}\" was not started: the system gives this process no thread to watch it. "
                        + "Raise the limit of processes and threads (ulimit -u, or the control group's pids.max).");
                return null;
            }

            try
            {
                UnixChild? child = TrySpawn(start, file, environment, sink, ledger, out OutputPump? pump, out error);
                follow = child is null ? null : () => child.Run(watch, pump!);
                return child;
            }
            finally
            {
                spawned.Release();
            }
        }
        catch (IOException thrown)
        {
            error = new StartError(StartFailure.Other, $"\"{start.FileName}\" was not started: {thrown.Message}");
            return null;
        }
        catch (EntryPointNotFoundException) when (start.WorkingDirectory is not null)
        {
            error = new StartError(
                StartFailure.Other,
                $"\"{start.FileName}\" was not started: this system's C library cannot start a program in another folder; "
                    + $"leave {nameof(ProcessStartOptions.WorkingDirectory)} out.");
            return null;
        }
    }

    public bool Kill(bool atOnce)
    {
        // Until it is reaped the id is the child's own, even if it has ended: so never between reaping and this. What has ended before is
        // not this side's doing.
        lock (_reap)
        {
            bool sent = !HasExited && Libc.kill(ProcessId, atOnce ? Libc.SIGKILL : Libc.SIGTERM) == 0;
            KilledHere |= sent && atOnce;
            TerminatedHere |= sent && !atOnce;
            return sent;
        }
    }

    public bool Interrupt()
    {
        lock (_reap)
        {
            return !HasExited && Libc.kill(ProcessId, Libc.SIGINT) == 0;
        }
    }

    public void LookAtMemory(bool moved) => _memory.LookAgain(moved);

    private static unsafe bool IsExecutable(string file)
    {
        using var strings = new NativeStrings();
        return Libc.access(strings.One(file), Libc.XOk) == 0;
    }

    private static UnixChild? TrySpawn(
        ProcessStartOptions start,
        string file,
        Dictionary<string, string> environment,
        OutputSink sink,
        OomLedger ledger,
        out OutputPump? pump,
        out StartError? error)
    {
        pump = null;
        (int outRead, int outWrite) = ChildDescriptors.Pipe();
        (int errorRead, int errorWrite) = (-1, -1);
        UnixChild? child = null;
        try
        {
            (errorRead, errorWrite) = ChildDescriptors.Pipe();
            pump = new OutputPump(outRead, errorRead, sink);
            int errno = Spawn.Start(start, file, environment, outWrite, errorWrite, out int pid);
            error = errno == 0 ? null : ProgramSearch.Explain(file, errno);
            if (errno == 0)
            {
                child = new UnixChild(pid, file, sink, ledger);
            }
        }
        finally
        {
            ChildDescriptors.Close(outWrite);
            ChildDescriptors.Close(errorWrite);
            if (child is null)
            {
                ChildDescriptors.Close(outRead);
                ChildDescriptors.Close(errorRead);
            }
        }

        return child;
    }

    private void Run(Func<int, EndWatch> open, OutputPump pump)
    {
        try
        {
            Thread.CurrentThread.Name = $"child {ProcessId}";
            using EndWatch watch = open(ProcessId);
            pump.ReadUntil(watch.Fd);
            Reap();
            pump.Drain(PipeMost);
        }
#pragma warning disable CA1031 // this is a thread's last frame: what escapes here ends the main node
        catch (Exception lost)
#pragma warning restore CA1031
        {
            // No descriptor or thread left for a watch, or poll failed: the output is lost, and says so; the end is not. Closed first: a
            // full pipe that nobody reads would hold the process up forever.
            _sink.Lose(lost);
            pump.Dispose();
            Reap();
        }
        finally
        {
            pump.Dispose();
        }

        _ended.TrySetResult(_end!);
    }

    private unsafe void Reap()
    {
        if (_end is not null)
        {
            return;
        }

        // Wait without taking the status, then take it under the lock: a kill meets either the child or nobody.
        byte* siginfo = stackalloc byte[256];
        int result;
        do
        {
            result = Libc.waitid(Libc.PPid, ProcessId, siginfo, Libc.WExited | Libc.WNoWait);
        }
        while (Libc.IsInterrupted(result));

        _memory.LookAtEnd();
        lock (_reap)
        {
            int status;
            int answer;
            do
            {
                answer = Libc.waitpid(ProcessId, &status, Libc.WNoHang);
            }
            while (Libc.IsInterrupted(answer));

            ProcessExit end = answer == ProcessId ? ProcessExit.FromWaitStatus(status) : ProcessExit.Unknown;
            _end = end.Signal == Libc.SIGKILL && !KilledHere ? end.WithMemoryKill(_memory.Verdict()) : end;
        }
    }
}
