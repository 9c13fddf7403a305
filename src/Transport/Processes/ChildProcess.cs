using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>A process that this one has started: its output in whole lines, and its true end.</summary>
/// <remarks>
/// On Unix the process is spawned and waited for by the library itself, because System.Diagnostics.Process shows <c>exit 137</c> and
/// SIGKILL as the same number. One background thread a child reads both streams and waits for the end.
/// Nothing needs disposing: when the process has ended, all that it held here is given back.
/// </remarks>
public sealed class ChildProcess
{
    private readonly IChild _child;
    private readonly OutputSink _sink;

    internal ChildProcess(IChild child, OutputSink sink)
    {
        _child = child;
        _sink = sink;
    }

    /// <summary>Gets the process id. It may belong to another process once <see cref="WaitForExitAsync"/> has completed.</summary>
    public int ProcessId => _child.ProcessId;

    /// <summary>Gets the full path of the file that was started; on Windows the name as it was asked for, if the system does not
    /// report.</summary>
    public string Executable => _child.Executable;

    /// <summary>Gets the last 20 lines of standard error, oldest first, each cut after 4,096 characters. Safe from any thread, complete
    /// after <see cref="WaitForExitAsync"/>.</summary>
    public IReadOnlyList<string> LastErrorLines => _sink.LastErrors.Snapshot();

    /// <summary>Gets the first exception of the output function (which gets the lines behind that one all the same), or of reading the output
    /// to its end; null if all is well.</summary>
    public Exception? OutputFault => _sink.Fault;

    /// <summary>Gets how many lines have come so far, and whether the output function has a line and has not returned.</summary>
    internal (long Lines, bool IsTaking) OutputProgress => _sink.Progress;

    /// <summary>Checks whether <see cref="Kill"/> ended it.</summary>
    internal bool WasKilledHere(ProcessExit end) => end.Signal == Libc.SIGKILL && _child.KilledHere;

    /// <summary>Checks whether <see cref="Terminate"/> ended it.</summary>
    internal bool WasTerminatedHere(ProcessExit end) => end.Signal == Libc.SIGTERM && _child.TerminatedHere;

    /// <summary>Starts a program.</summary>
    /// <param name="start">What to start, and what hears its output.</param>
    /// <returns>The running process.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.StartFailed"/>: the program could not be started; the message says
    /// why, <see cref="TransportException.Code"/> is <c>not-found</c>, <c>not-executable</c> or <c>other</c>.</exception>
    /// <exception cref="ArgumentException"><paramref name="start"/> holds what cannot be handed to a program.</exception>
    public static ChildProcess Start(ProcessStartOptions start) =>
        Start((start ?? throw new ArgumentNullException(nameof(start))).CheckedCopy(), new OomLedger());

    /// <summary>As <see cref="Start(ProcessStartOptions)"/>, for one of several children that may die in the same control group.</summary>
    internal static ChildProcess Start(ProcessStartOptions copy, OomLedger ledger)
    {
        var sink = new OutputSink(copy.Output);
        IChild? started = RuntimeInformation.IsOSPlatform(OSPlatform.Windows)
            ? ManagedChild.TryStart(copy, sink, out StartError? error)
            : UnixChild.TryStart(copy, sink, ledger, EndWatch.Open, out error);
        return started is not null ? new ChildProcess(started, sink)
            : throw (error ?? new StartError(StartFailure.Other, $"\"{copy.FileName}\" could not be started.")).ToException();
    }

    /// <summary>Lets this process learn how its children end although it was started with SIGCHLD ignored, as by some scripts and
    /// supervisors; a handler stays. A program calls it first of all: each start does so too, but once a console or
    /// <c>System.Diagnostics.Process</c> was used, .NET waits for every child of such a process, and an end may be
    /// <c>status unknown</c>. Does nothing on Windows.</summary>
    public static void KeepExitStatuses()
    {
        if (!RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
        {
            ChildSignal.Heed();
        }
    }

    /// <summary>Waits until the process has ended and its output is drained.</summary>
    /// <param name="cancellationToken">Ends the wait; the process goes on.</param>
    /// <returns>How the process ended.</returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <remarks>The output is drained if both streams are at their end, or, if a grandchild keeps them open, nothing is left to read. What
    /// such a grandchild writes later meets a closed pipe.</remarks>
    public Task<ProcessExit> WaitForExitAsync(CancellationToken cancellationToken = default) =>
        Delay.UntilAsync(_child.Ended, cancellationToken);

    /// <summary>Kills the process at once (SIGKILL). Never reaches another process that has got the same id.</summary>
    /// <returns>False if it had ended already.</returns>
    public bool Kill() => _child.Kill(atOnce: true);

    /// <summary>Asks the process to end (SIGTERM; on Windows there is no such thing, so it is killed).</summary>
    /// <returns>False if it had ended already.</returns>
    public bool Terminate() => _child.Kill(atOnce: false);

    /// <summary>Interrupts the process as Ctrl+C at a terminal does (SIGINT). Does nothing on Windows.</summary>
    /// <returns>False if it had ended already, or on Windows.</returns>
    public bool Interrupt() => _child.Interrupt();

    /// <summary>Gets a value indicating whether the process itself has ended, though <see cref="WaitForExitAsync"/> may still wait for its
    /// output.</summary>
    internal bool HasExited => _child.HasExited;

    /// <summary>Gets the fatal error that the program reported on standard error; asked after <see cref="WaitForExitAsync"/>.</summary>
    internal FatalError? FatalErrorOf(ProcessExit end, bool brokeLink) => _sink.FatalErrors.Confirm(end, brokeLink);

    /// <summary>Looks at the control group's count of memory kills, see <see cref="ProcessExit.OutOfMemoryKill"/>.</summary>
    internal void LookAtMemory(bool moved) => _child.LookAtMemory(moved);
}
