namespace Transport;

/// <summary>Decides what happens to a link: takes events, answers with the actions to run. The states and every transition:
/// docs/design/link-session.md.</summary>
/// <remarks>No I/O, no clock, no lock: the owner calls it under one lock of its own and runs the actions after it has left that
/// lock.</remarks>
internal sealed class LinkSession
{
    /// <summary>Gets or sets a value indicating whether the peer has a crash tail that may be replayed. Set before reading
    /// begins.</summary>
    public bool HasTail { get; set; }

    /// <summary>Gets where the link stands.</summary>
    public LinkPhase Phase { get; private set; }

    /// <summary>Gets why the link ends; null while no cause is known. The first cause wins.</summary>
    public TransportFault? Cause { get; private set; }

    /// <summary>Takes an event.</summary>
    /// <param name="linkEvent">What happened.</param>
    /// <param name="fault">The fault that the event brings: for <see cref="LinkEvent.Fault"/>, <see cref="LinkEvent.HandlerFailed"/> and
    /// <see cref="LinkEvent.PeerGoodbyeFault"/>; ignored for all others.</param>
    /// <param name="isAcknowledged">Whether the peer has acknowledged every packet that was written, and this side is done with all that
    /// came.</param>
    /// <returns>What to do now, in the order of the values of <see cref="LinkActions"/>; None if the event changes nothing in this
    /// phase.</returns>
    public LinkActions Take(LinkEvent linkEvent, TransportFault fault, bool isAcknowledged)
    {
        if (Find(Phase, linkEvent, HasTail, isAcknowledged) is not { } transition)
        {
            return LinkActions.None;
        }

        Phase = transition.Next;
        Cause ??= transition.Cause switch
        {
            LinkCauseKind.None => null,
            LinkCauseKind.Clean => TransportFault.None,
            LinkCauseKind.PeerGone => TransportFault.PeerGone,
            LinkCauseKind.Timeout => TransportFault.Timeout,
            LinkCauseKind.Aborted => TransportFault.Aborted,
            _ => fault,
        };
        return transition.Actions;
    }

    /// <summary>Finds the row of the table for a phase and an event; null if the event changes nothing there.</summary>
    public static Transition? Find(LinkPhase phase, LinkEvent linkEvent, bool hasTail, bool isAcknowledged) => phase switch
    {
        LinkPhase.Closed => null,
        LinkPhase.Ready or LinkPhase.ReadyWriteBroken => FromReady(phase, linkEvent),
        LinkPhase.Open or LinkPhase.Closing or LinkPhase.GoodbyeSent => FromOpen(phase, linkEvent, hasTail),
        LinkPhase.PeerClosed or LinkPhase.Answering or LinkPhase.Finishing => FromPeerClosed(phase, linkEvent, isAcknowledged),
        LinkPhase.PeerClosedAtEnd or LinkPhase.AnsweringAtEnd => FromAtEnd(phase, linkEvent, isAcknowledged),
        LinkPhase.Failing or LinkPhase.Recovering or LinkPhase.Stopping => FromEnding(phase, linkEvent),
        _ => FromWriteBroken(phase, linkEvent, hasTail, isAcknowledged),
    };

    /// <summary>Nothing is read yet.</summary>
    private static Transition? FromReady(LinkPhase phase, LinkEvent linkEvent) => (phase, linkEvent) switch
    {
        (LinkPhase.Ready, LinkEvent.Start) => new(LinkPhase.Open, LinkActions.StartReading),
        (LinkPhase.Ready, LinkEvent.Close)
            => new(LinkPhase.Closing, LinkActions.StartReadingUnrouted | LinkActions.SealQueue | LinkActions.SendGoodbye),
        (LinkPhase.Ready, LinkEvent.Abort) => Stop(LinkActions.BreakQueue, LinkCauseKind.Aborted),
        (LinkPhase.Ready, LinkEvent.PeerGone) => Stop(LinkActions.BreakQueue, LinkCauseKind.PeerGone),
        (LinkPhase.Ready, LinkEvent.SendFailed) => new(LinkPhase.ReadyWriteBroken, LinkActions.BreakQueue),
        (LinkPhase.ReadyWriteBroken, LinkEvent.Start) => new(LinkPhase.WriteBroken, LinkActions.StartReading | LinkActions.LimitRead),
        (LinkPhase.ReadyWriteBroken, LinkEvent.Close)
            => new(LinkPhase.WriteBroken, LinkActions.StartReadingUnrouted | LinkActions.LimitRead),
        (LinkPhase.ReadyWriteBroken, LinkEvent.Abort) => Stop(LinkActions.None, LinkCauseKind.Aborted),
        (LinkPhase.ReadyWriteBroken, LinkEvent.PeerGone) => Stop(LinkActions.None, LinkCauseKind.PeerGone),
        _ => null,
    };

    /// <summary>The peer has not said Goodbye, and writing works.</summary>
    private static Transition? FromOpen(LinkPhase phase, LinkEvent linkEvent, bool hasTail) => (phase, linkEvent) switch
    {
        (LinkPhase.Open, LinkEvent.Close) => new(LinkPhase.Closing, LinkActions.SealQueue | LinkActions.SendGoodbye),
        (LinkPhase.Open, LinkEvent.PeerGoodbye)
            => new(LinkPhase.PeerClosed, LinkActions.SealQueue | LinkActions.SettleStore | LinkActions.LimitClose),
        (LinkPhase.Closing, LinkEvent.PeerGoodbye) => new(LinkPhase.PeerClosed, LinkActions.SettleStore),
        (LinkPhase.Closing, LinkEvent.GoodbyeWritten) => new(LinkPhase.GoodbyeSent, LinkActions.None),
        (LinkPhase.GoodbyeSent, LinkEvent.PeerGoodbye) => new(LinkPhase.Answering, LinkActions.SettleStore),
        (LinkPhase.GoodbyeSent, LinkEvent.SendFailed) => new(LinkPhase.WriteBrokenSent, LinkActions.BreakQueue | LinkActions.LimitRead),
        (_, LinkEvent.SendFailed) => new(LinkPhase.WriteBroken, LinkActions.BreakQueue | LinkActions.LimitRead),
        (_, LinkEvent.EndOfStream) => hasTail
            ? Recover(LinkActions.BreakQueue, LinkCauseKind.None)
            : Stop(LinkActions.BreakQueue, LinkCauseKind.PeerGone),
        (_, LinkEvent.Silence) or (LinkPhase.Closing or LinkPhase.GoodbyeSent, LinkEvent.Limit) => hasTail
            ? Recover(LinkActions.SendFarewell, LinkCauseKind.Timeout)
            : Fail(LinkCauseKind.Timeout),
        (_, LinkEvent.Fault or LinkEvent.HandlerFailed) => Fail(LinkCauseKind.OfEvent),
        (_, LinkEvent.PeerGoodbyeFault) => Stop(LinkActions.BreakQueue, LinkCauseKind.OfEvent),
        (_, LinkEvent.Abort) => Stop(LinkActions.BreakQueue, LinkCauseKind.Aborted),
        (_, LinkEvent.PeerGone) => Stop(LinkActions.BreakQueue, LinkCauseKind.PeerGone),
        _ => null,
    };

    /// <summary>The peer has said Goodbye, writing works, and the stream goes on.</summary>
    private static Transition? FromPeerClosed(LinkPhase phase, LinkEvent linkEvent, bool isAcknowledged) => (phase, linkEvent) switch
    {
        (_, LinkEvent.Fault or LinkEvent.HandlerFailed) => Fail(LinkCauseKind.OfEvent),
        (LinkPhase.Finishing, LinkEvent.AllAcknowledged) => new(phase, LinkActions.LimitRead),
        (LinkPhase.Finishing, LinkEvent.EndOfStream or LinkEvent.PeerGone)
            => Stop(LinkActions.BreakQueue, CleanOr(LinkCauseKind.PeerGone, isAcknowledged)),
        (LinkPhase.Finishing, LinkEvent.Limit) => Stop(LinkActions.BreakQueue, CleanOr(LinkCauseKind.Timeout, isAcknowledged)),
        (LinkPhase.Finishing, LinkEvent.Abort) => Stop(LinkActions.BreakQueue, CleanOr(LinkCauseKind.Aborted, isAcknowledged)),
        (LinkPhase.Finishing, _) => null,
        (_, LinkEvent.StoreSettled) => new(phase, LinkActions.SendAnswer),
        (_, LinkEvent.AnswerWritten)
            => new(LinkPhase.Finishing, LinkActions.ShutdownSend | (isAcknowledged ? LinkActions.LimitRead : LinkActions.None)),
        (LinkPhase.PeerClosed, LinkEvent.GoodbyeWritten) => new(LinkPhase.Answering, LinkActions.None),
        (LinkPhase.PeerClosed, LinkEvent.EndOfStream) => new(LinkPhase.PeerClosedAtEnd, LinkActions.None),
        (LinkPhase.Answering, LinkEvent.EndOfStream) => new(LinkPhase.AnsweringAtEnd, LinkActions.None),
        (LinkPhase.PeerClosed, LinkEvent.SendFailed)
            => new(LinkPhase.WriteBrokenPeerClosed, LinkActions.BreakQueue | LinkActions.LimitRead),
        (LinkPhase.Answering, LinkEvent.SendFailed) => new(LinkPhase.WriteBrokenBoth, LinkActions.BreakQueue | LinkActions.LimitRead),
        (_, LinkEvent.Limit) => Fail(LinkCauseKind.Timeout),
        (_, LinkEvent.Abort) => Stop(LinkActions.BreakQueue, LinkCauseKind.Aborted),
        (_, LinkEvent.PeerGone) => Stop(LinkActions.BreakQueue, LinkCauseKind.PeerGone),
        _ => null,
    };

    /// <summary>The peer has said Goodbye and closed, and this side still owes it something.</summary>
    private static Transition? FromAtEnd(LinkPhase phase, LinkEvent linkEvent, bool isAcknowledged) => (phase, linkEvent) switch
    {
        (_, LinkEvent.StoreSettled) => new(phase, LinkActions.SendAnswer),
        (LinkPhase.PeerClosedAtEnd, LinkEvent.GoodbyeWritten) => new(LinkPhase.AnsweringAtEnd, LinkActions.None),
        (_, LinkEvent.AnswerWritten) => Stop(LinkActions.BreakQueue, CleanOr(LinkCauseKind.PeerGone, isAcknowledged)),
        (LinkPhase.PeerClosedAtEnd, LinkEvent.SendFailed or LinkEvent.Limit) => Stop(LinkActions.BreakQueue, LinkCauseKind.PeerGone),
        (LinkPhase.AnsweringAtEnd, LinkEvent.SendFailed or LinkEvent.Limit)
            => Stop(LinkActions.BreakQueue, CleanOr(LinkCauseKind.PeerGone, isAcknowledged)),
        (_, LinkEvent.HandlerFailed) => Stop(LinkActions.BreakQueue, LinkCauseKind.OfEvent),
        (_, LinkEvent.Abort) => Stop(LinkActions.BreakQueue, LinkCauseKind.Aborted),
        (_, LinkEvent.PeerGone) => Stop(LinkActions.BreakQueue, LinkCauseKind.PeerGone),
        _ => null,
    };

    /// <summary>A write has failed, and the stream goes on.</summary>
    private static Transition? FromWriteBroken(
        LinkPhase phase, LinkEvent linkEvent, bool hasTail, bool isAcknowledged) => (phase, linkEvent) switch
    {
        (LinkPhase.WriteBroken, LinkEvent.PeerGoodbye) => new(LinkPhase.WriteBrokenPeerClosed, LinkActions.None),
        (LinkPhase.WriteBrokenSent, LinkEvent.PeerGoodbye) => new(LinkPhase.WriteBrokenBoth, LinkActions.None),
        (LinkPhase.WriteBroken or LinkPhase.WriteBrokenSent, LinkEvent.EndOfStream) when hasTail
            => Recover(LinkActions.None, LinkCauseKind.None),
        (LinkPhase.WriteBroken or LinkPhase.WriteBrokenSent, LinkEvent.EndOfStream or LinkEvent.Limit) => hasTail
            ? Recover(LinkActions.None, LinkCauseKind.PeerGone)
            : Stop(LinkActions.None, LinkCauseKind.PeerGone),
        (LinkPhase.WriteBroken or LinkPhase.WriteBrokenSent, LinkEvent.PeerGoodbyeFault) => Stop(LinkActions.None, LinkCauseKind.OfEvent),
        (LinkPhase.WriteBrokenPeerClosed, LinkEvent.EndOfStream or LinkEvent.Limit) => Stop(LinkActions.None, LinkCauseKind.PeerGone),
        (LinkPhase.WriteBrokenBoth, LinkEvent.EndOfStream or LinkEvent.Limit)
            => Stop(LinkActions.None, CleanOr(LinkCauseKind.PeerGone, isAcknowledged)),
        (_, LinkEvent.Fault or LinkEvent.HandlerFailed) => Stop(LinkActions.None, LinkCauseKind.OfEvent),
        (_, LinkEvent.Abort) => Stop(LinkActions.None, LinkCauseKind.Aborted),
        (_, LinkEvent.PeerGone) => Stop(LinkActions.None, LinkCauseKind.PeerGone),
        _ => null,
    };

    /// <summary>The cause is known.</summary>
    private static Transition? FromEnding(LinkPhase phase, LinkEvent linkEvent) => (phase, linkEvent) switch
    {
        (LinkPhase.Failing, LinkEvent.FarewellWritten or LinkEvent.SendFailed or LinkEvent.Abort or LinkEvent.PeerGone)
            => Stop(LinkActions.None, LinkCauseKind.None),
        (LinkPhase.Recovering, LinkEvent.TailHandled or LinkEvent.PeerGone) => Stop(LinkActions.None, LinkCauseKind.PeerGone),
        (LinkPhase.Recovering, LinkEvent.Fault or LinkEvent.HandlerFailed) => Stop(LinkActions.None, LinkCauseKind.OfEvent),
        (LinkPhase.Recovering, LinkEvent.Abort) => Stop(LinkActions.None, LinkCauseKind.Aborted),
        (LinkPhase.Stopping, LinkEvent.ThreadsEnded) => new(LinkPhase.Closed, LinkActions.Complete),
        _ => null,
    };

    /// <summary>After both Goodbyes: clean only if the peer has acknowledged everything.</summary>
    private static LinkCauseKind CleanOr(LinkCauseKind other, bool isAcknowledged) => isAcknowledged ? LinkCauseKind.Clean : other;

    private static Transition Fail(LinkCauseKind cause) => new(LinkPhase.Failing, LinkActions.SendFarewell, cause);

    private static Transition Stop(LinkActions before, LinkCauseKind cause) => new(LinkPhase.Stopping, before | LinkActions.CutWire, cause);

    private static Transition Recover(LinkActions before, LinkCauseKind cause) =>
        new(LinkPhase.Recovering, before | LinkActions.CancelLimit, cause);

    /// <summary>One row of the table.</summary>
    /// <param name="Next">The phase afterwards.</param>
    /// <param name="Actions">What to do.</param>
    /// <param name="Cause">Why the link ends, if this row decides it.</param>
    public readonly record struct Transition(LinkPhase Next, LinkActions Actions, LinkCauseKind Cause = LinkCauseKind.None);
}
