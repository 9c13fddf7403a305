using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>How a worker ended: process, link, last packets and last output in one report; the only one, for a clean end too. Reported
/// after the link and both output streams have drained. Immutable.</summary>
/// <remarks>The cause is the wait status's own: <c>exit 137</c> is an exit code and <c>killed SIGKILL</c> a signal. What the system does
/// not report is not guessed.</remarks>
public sealed class WorkerExit
{
    internal WorkerExit()
    {
    }

    /// <summary>Gets the main node's name for the worker.</summary>
    public string Node { get; internal init; } = string.Empty;

    /// <summary>Gets the process id it had. Another process may have it by now.</summary>
    public int ProcessId { get; internal init; }

    /// <summary>Gets the program as it was asked for.</summary>
    public string FileName { get; internal init; } = string.Empty;

    /// <summary>Gets the full path of the file that was started (<see cref="ChildProcess.Executable"/>): for <c>dotnet App.dll</c> that of
    /// dotnet. Arguments are not reported.</summary>
    public string Executable { get; internal init; } = string.Empty;

    /// <summary>Gets the end of the process: exit code or signal, and whether the kernel killed it for lack of memory.</summary>
    public ProcessExit Process { get; internal init; } = ProcessExit.Unknown;

    /// <summary>Gets a value indicating whether the main node itself ended it by a signal: SIGKILL by <see cref="WorkerProcess.Kill"/>, or
    /// because it did not connect, or did not end, in time; SIGTERM by <see cref="WorkerProcess.StopAsync"/>.</summary>
    public bool KilledByMainNode => KillReason is not null;

    /// <summary>Gets why the main node itself ended it by a signal, in a few words; null if it did not.</summary>
    /// <value>For example <c>it had not connected 30 s after its start (MainNodeOptions.ConnectTimeout)</c>.</value>
    public string? KillReason { get; internal init; }

    /// <summary>Gets the end of the link, with its receipt: what was sent, received and dropped; null if the worker never
    /// connected.</summary>
    public LinkEnd? Link { get; internal init; }

    /// <summary>Gets a value indicating whether the worker ever had a link.</summary>
    public bool Connected => Link is not null;

    /// <summary>Gets the reason why it had no link, as far as this side knows: why its connection was refused, or that none could be
    /// taken meanwhile (no file descriptors). Null if it had one, or nothing is known.</summary>
    public string? LinkProblem { get; internal init; }

    /// <summary>
    /// Gets the first cause in a few words: <c>clean</c>, <c>exit N</c>, <c>killed SIGX</c>, <c>rejected CODE</c> or a fault's name, then
    /// <c>; </c> and the process's end if that adds something, then <c>, </c> and the <see cref="FatalError"/> if there was one. A signal
    /// or an exit code other than 0 wins over PeerGone, which is only its effect. <see cref="Explanation"/> says more.
    /// </summary>
    /// <value>For example <c>killed SIGABRT, stack overflow</c>.</value>
    public string Cause { get; internal init; } = string.Empty;

    /// <summary>
    /// Gets what the cause alone does not say: a .NET fatal error, a kill by the kernel for lack of memory, one by the main node and why,
    /// what a Windows exit code stands for, why the main node stopped waiting for the end. Null if there is no more to say.
    /// </summary>
    /// <value>For example <c>stack overflow</c>, <c>unhandled exception: System.IO.IOException: no space</c>, <c>the kernel's out-of-memory
    /// killer</c>.</value>
    public string? Explanation =>
        FatalError?.ToString()
        ?? (Process.OutOfMemoryKill == true ? "the kernel's out-of-memory killer" : null)
        ?? (KillReason is { } why ? $"killed by the main node: {why}" : null)
        ?? (Process.ExitCode is { } code ? WindowsCodes.Of(code) : null)
        ?? EndProblem;

    /// <summary>Gets the fatal error that a .NET or Mono program reported on its output, if its end bears that out; else null.</summary>
    public FatalError? FatalError { get; internal init; }

    /// <summary>Gets its activity, as <see cref="WorkerProcess.CurrentActivity"/> said; null: none was set.</summary>
    public string? CurrentActivity { get; internal init; }

    /// <summary>Gets when the end was noticed, by the link options' clock (UTC).</summary>
    public DateTimeOffset EndedAt { get; internal init; }

    /// <summary>Gets the time from the start to the end, as the link options' clock saw it.</summary>
    public TimeSpan LifeTime { get; internal init; }

    /// <summary>Gets how long before the end its last packet (lanes 1 to 3) was read; null if none arrived.</summary>
    public TimeSpan? SinceLastPacket => LastPackets.Count == 0 ? null : LastPackets[LastPackets.Count - 1].BeforeEnd;

    /// <summary>Gets how long before the end anything was heard of it, answers to Ping among that; if nothing came after the handshake,
    /// since that. Null if it never connected.</summary>
    public TimeSpan? SinceLastFrame { get; internal init; }

    /// <summary>Gets the last 20 packets (lanes 1 to 3) that came whole from it, oldest first, also one whose handler threw.</summary>
    public IReadOnlyList<LastPacket> LastPackets { get; internal init; } = [];

    /// <summary>Gets the types of packets for which there was no handler (<see cref="LinkReceipt.Unhandled"/> of them), by name as in
    /// <c>Progress (258)</c> or <c>type 1500</c>, with how many came, most first. At most 256 types are distinguished, the rest stands
    /// under <c>others</c>.</summary>
    public IReadOnlyList<KeyValuePair<string, long>> UnhandledByType { get; internal init; } = [];

    /// <summary>Gets the last 20 lines of standard error, oldest first, each cut after 4,096 characters.</summary>
    public IReadOnlyList<string> LastErrorLines { get; internal init; } = [];

    /// <summary>
    /// Gets what the output function threw first (it got the lines behind that one all the same), or why the output could not be read to
    /// its end; null if it was. A <see cref="TimeoutException"/> if the worker was stopped and its output function has not returned, or
    /// if its process was killed and is still running: then <see cref="Process"/> is unknown, and lines may still come.
    /// </summary>
    public Exception? OutputFault { get; internal init; }

    /// <summary>Gets why the main node stopped waiting for the process's end; null if the end came.</summary>
    internal string? EndProblem { get; init; }

    /// <summary>Gets the number of the worker's packets that got lost: queued or dropped there, and neither given to a handler nor flushed
    /// here. Null if it is unknown; <see cref="LossUnknown"/> says why. docs/guide/tail.md has a table of all cases.</summary>
    /// <remarks>
    /// A packet that arrived is lost if its handler had not returned by the end, or if a store (<see cref="PacketRouter.UseStore"/>) has not
    /// flushed it. Packets without a handler and packets whose handler threw are not lost: <see cref="LinkReceipt.Unhandled"/> and
    /// <see cref="LinkReceipt.HandlerFailures"/> count them. After a clean end the number is what both sides counted; after a crash, what
    /// the crash tail (<c>MainNodeOptions.TailBytes</c>) could not bring. Without a tail that the worker used, nobody knows.
    /// </remarks>
    public long? PacketsLost => Missing + Link?.Receipt.PeerDropped + Link?.Receipt.InHandler + NotFlushed;

    /// <summary>Gets how many of the worker's sends were answered Full, as its Goodbye said; null if there was no Goodbye. Whether their
    /// packets were sent again is not known, so this is no count of losses.</summary>
    public long? PacketsRefused => Link is { Receipt: { PeerSent: not null } receipt } ? receipt.PeerRefused : null;

    /// <summary>Gets a value indicating whether the handler of every packet that the worker had queued ran to its end without an
    /// exception.</summary>
    /// <value>True if <see cref="PacketsLost"/> is known and 0, and no packet was <see cref="LinkReceipt.Unhandled"/> or one of
    /// <see cref="LinkReceipt.HandlerFailures"/>. Unknown is false.</value>
    /// <remarks>Only packets of the worker count: for those sent to it see <see cref="LinkReceipt.PeerUnhandled"/>. Ignore packets by
    /// <c>PacketRouter.OnUnknown</c> with a handler that does nothing. A packet whose send was answered Full was not queued: if the worker
    /// gave it up, only <see cref="PacketsRefused"/> shows it.</remarks>
    public bool AllPacketsHandled => PacketsLost == 0 && Link is { Receipt: { Unhandled: 0, HandlerFailures: 0 } };

    /// <summary>Gets a value indicating whether the worker ended cleanly, and every packet was handled in both directions:
    /// <see cref="IsClean"/>, <see cref="AllPacketsHandled"/>, the output was read (<see cref="OutputFault"/> is null), and the worker
    /// had a handler for each packet sent to it, which did not throw.</summary>
    public bool IsSuccess => IsClean && AllPacketsHandled && OutputFault is null
        && Link is { Receipt: { PeerUnhandled: 0, PeerHandlerFailures: 0, Dropped: 0 } };

    /// <summary>Gets why <see cref="PacketsLost"/> is unknown; null if it is known.</summary>
    internal string? LossUnknown =>
        Missing is not null ? null
        : Link is null ? "it never had a link"
        : !HadTail ? "it had no crash tail"
        : Link.Receipt.Tail is not { } tail ? "it never opened its crash tail"
        : tail.Problem ?? "its crash tail says nothing";

    /// <summary>Gets how many packets the worker queued that did not arrive; null if nobody knows.</summary>
    private long? Missing =>
        Link is not { Receipt: var receipt } ? null
        : Link.IsClean ? receipt.PeerSent - receipt.Received
        : HadTail && receipt.Tail is { Problem: null, Lost: { } lost } ? lost : null;

    /// <summary>Gets how many handled packets the store has not flushed. A failed packet among those that are not flushed may let this be
    /// too high, never too low.</summary>
    private long NotFlushed => Link is { Receipt: var receipt } ? Math.Min(receipt.Handled, receipt.Taken - receipt.Flushed) : 0;

    /// <summary>Gets the whole report as text for a terminal: what <see cref="ToString"/> returns, then <see cref="Details"/> if the end
    /// was not clean, indented.</summary>
    public string Report => WorkerExitText.Report(this);

    /// <summary>Gets the first packet without a handler for a person: type, length, first bytes; null if there was none.</summary>
    internal string? FirstUnhandled { get; init; }

    /// <summary>Gets how many packets came after their loop (<c>PacketRouter.ReadAllAsync</c>) was left, by the packet's name; they are
    /// among those without a handler.</summary>
    internal IReadOnlyList<KeyValuePair<string, long>> LeftLoops { get; init; } = [];

    /// <summary>Gets how many packets their loop was not done with, by the packet's name.</summary>
    internal IReadOnlyList<KeyValuePair<string, long>> Unread { get; init; } = [];

    /// <summary>Gets the names of requests to the worker without a response.</summary>
    internal IReadOnlyList<string> Unanswered { get; init; } = [];

    /// <summary>Gets a value indicating whether the worker had a tail.</summary>
    internal bool HadTail { get; init; }

    /// <summary>Gets a value indicating whether the process ended with exit code 0, and the link by Goodbye and Ack of both sides.</summary>
    /// <remarks>It says nothing about packets: see <see cref="AllPacketsHandled"/> and <see cref="IsSuccess"/>.</remarks>
    public bool IsClean => Link is { IsClean: true } && Process.IsSuccess;

    /// <summary>Returns what follows the first line: program and times, the link's end and counts, the last packets (those of one
    /// kind in a row as one line), the last lines of standard error.</summary>
    /// <returns>
    /// Lines for a person, without indent or line ends. What the worker wrote stands as it wrote it: <see cref="Transport.TerminalText"/>
    /// makes it fit for a terminal.
    /// </returns>
    public IReadOnlyList<string> Details() => WorkerExitText.Details(this);

    /// <summary>
    /// Returns in one line how the worker ended, with what was dropped, answered Full or not handled. Fit for a terminal: escaped, and cut if it
    /// is long. <see cref="Report"/> has more.
    /// </summary>
    /// <returns>
    /// For example <c>n2 (pid 4711, dotnet) killed SIGABRT, stack overflow after 12.3 s, on Core.csproj</c>, or
    /// <c>n1 (pid 4712, dotnet) clean, answered Full 58 times after 1.1 s</c>.
    /// </returns>
    public override string ToString() => WorkerExitText.Of(this);
}
