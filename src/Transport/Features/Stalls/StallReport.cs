using System;

namespace Transport;

/// <summary>What stands still on a link: one end waits for the other, and nothing moves. Immutable.</summary>
/// <remarks>It is a report, not an end: the link goes on, and so does what it reports. <see cref="ToString"/> is a sentence for people that
/// says who waits for whom, and what to do.</remarks>
public sealed record StallReport
{
    internal StallReport()
    {
    }

    /// <summary>Gets the part that stands still.</summary>
    public StallKind Kind { get; internal init; }

    /// <summary>Gets the node that reports: this side.</summary>
    public string Node { get; internal init; } = string.Empty;

    /// <summary>Gets the node at the other end, as it named itself; <c>the peer</c> if it did not.</summary>
    public string Peer { get; internal init; } = string.Empty;

    /// <summary>Gets since when, by the link options' clock (UTC). The link looks a few times in each
    /// <see cref="HeartbeatOptions.StallTimeout"/>: it may have begun by one such time later.</summary>
    public DateTimeOffset Since { get; internal init; }

    /// <summary>Gets how long it had lasted when it was reported, or when it was over.</summary>
    public TimeSpan Duration { get; internal init; }

    /// <summary>Gets the bytes that wait at this side to be written to the peer.</summary>
    public long QueuedBytes { get; internal init; }

    /// <summary>Gets the bytes that wait at the peer, as its last Ping or Pong reported; null if none arrived. A side whose handler does
    /// not return reads no news of it.</summary>
    public long? PeerQueuedBytes { get; internal init; }

    /// <summary>Gets how many packets are written and not acknowledged as handled by the peer.</summary>
    public long Unacknowledged { get; internal init; }

    /// <summary>Gets how long ago the peer's last whole frame was read: an alive peer says something every
    /// <see cref="HeartbeatOptions.PingInterval"/>.</summary>
    public TimeSpan SinceLastFrame { get; internal init; }

    /// <summary>Gets the packet whose handler does not return, or whose loop does not take it, by name and number, for example
    /// <c>LogEvent (256)</c>; null for <see cref="StallKind.Peer"/>.</summary>
    public string? Packet { get; internal init; }

    /// <summary>Gets the call of this very link that waits, begun in a handler of this link or in what one started: <c>SendAsync or
    /// Send</c>, <c>RequestAsync</c> or <c>CloseAsync</c>. With <see cref="StallKind.Handler"/> that is a deadlock if the handler waits
    /// for it. Null if there is none.</summary>
    public string? WaitsFor { get; internal init; }

    /// <summary>Gets a value indicating whether it is over.</summary>
    public bool IsOver { get; internal init; }

    /// <summary>Gets a value indicating whether it is over only because the link has ended; with <see cref="StallKind.Connecting"/>,
    /// because the worker has ended without one.</summary>
    public bool LinkEnded { get; internal init; }

    /// <summary>Gets how many packets of the peer loops have not taken.</summary>
    internal long Unread { get; init; }

    /// <summary>Gets the id of the peer's process if it is stopped; else null.</summary>
    internal int? StoppedProcess { get; init; }

    /// <summary>Gets how long the worker of <see cref="StallKind.Connecting"/> may take from its start.</summary>
    internal TimeSpan Limit { get; init; }

    /// <summary>Returns a sentence for people, on one line.</summary>
    /// <returns>Who waits for whom, how long, with what queued; and what to do, or that it is over.</returns>
    public override string ToString() => Kind == StallKind.Connecting ? OfStart() : IsOver ? Over()
        : Kind == StallKind.Handler ? OfHandler() : Kind == StallKind.Loop ? OfLoop() : OfPeer();

    private string OfStart() => !IsOver
            ? $"{Peer} has not connected {Seconds(Duration)} after its start, so {Node} waits for {Peer}, and kills it after "
                + $"{Seconds(Limit)} "
                + $"(MainNodeOptions.ConnectTimeout): "
                + $"{Stopped() ?? $"look at what {Peer} does before it connects; a program that is no worker never does"}"
        : LinkEnded ? $"{Peer} has ended without ever having connected, {Seconds(Duration)} after its start"
        : $"{Peer} has connected, {Seconds(Duration)} after its start";

    private string Over() => LinkEnded
        ? $"the link of {Node} with {Peer} has ended, after {Seconds(Duration)} in which "
            + (Kind == StallKind.Handler ? $"{Node}'s handler of packet {Packet} did not return"
                : Kind == StallKind.Loop ? $"{Node}'s loop over {Packet} took none of its packets" : $"{Peer} took nothing")
        : Kind == StallKind.Handler
            ? $"{Node}'s handler of packet {Packet} has returned after {Seconds(Duration)}: {Node} reads from {Peer} again"
        : Kind == StallKind.Loop ? $"{Node}'s loop over {Packet} goes on, or was left, after {Seconds(Duration)}"
            : $"{Peer} takes what {Node} sends again, after {Seconds(Duration)}";

    private string OfHandler()
    {
        string advice = WaitsFor is null
            ? "look at that handler's stack; what takes long belongs into a task of its own"
            : $"that handler, or what one started, waits for its own link ({WaitsFor}), which reads nothing meanwhile: a deadlock; do not "
                + "await it there, use TrySend, or a task of its own";
        return $"{Node} has been in its handler of packet {Packet} for {Seconds(Duration)} and reads nothing, so {Peer} waits for {Node} "
            + $"({Queues()}): {advice}";
    }

    private string OfLoop() => FormattableString.Invariant(
        $"{Node}'s loop over {Packet} (PacketRouter.ReadAllAsync) has not taken its next packet for {Seconds(Duration)}; {Unread} ")
        + $"of {Peer} {(Unread == 1 ? "is" : "are")} with loops and not acknowledged ({Queues()}): look at what the loop's body waits for, "
        + $"and whether the loop has begun; a response of {Peer} stands behind what came before it, and cannot be read while the loop holds "
        + "as many packets, of all links, as it may";

    private string OfPeer()
    {
        string what = QueuedBytes > 0 ? "nothing of what is queued could be written"
            : Unacknowledged > 0 ? FormattableString.Invariant($"{Unacknowledged} sent and not handled")
            : "it answers no Ping";
        string advice = Stopped()
            ?? $"look at {Peer} for a handler that does not return or waits for its own link, or a process that is starved";
        return $"{Peer} has taken nothing from {Node} for {Seconds(Duration)}, so {Node} waits for {Peer} "
            + $"({what}; {Queues()}; its last frame came {Seconds(SinceLastFrame)} ago): {advice}";
    }

    private string? Stopped() =>
        StoppedProcess is null ? null
            : FormattableString.Invariant($"its process {StoppedProcess} is stopped (SIGSTOP), which SIGCONT ends");

    private string Queues() => PeerQueuedBytes is { } there
        ? FormattableString.Invariant($"queued {QueuedBytes} B here, {there} B there")
        : FormattableString.Invariant($"queued {QueuedBytes} B here; what is queued there it has not reported");

    private static string Seconds(TimeSpan time) => FormattableString.Invariant($"{time.TotalSeconds:0.0} s");
}
