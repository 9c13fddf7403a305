using System;

namespace Transport;

/// <summary>Where a link stands; what each phase means: docs/design/link-session.md.</summary>
internal enum LinkPhase
{
    Ready,
    ReadyWriteBroken,
    Open,
    Closing,
    GoodbyeSent,
    PeerClosed,
    PeerClosedAtEnd,
    Answering,
    AnsweringAtEnd,
    Finishing,
    WriteBroken,
    WriteBrokenSent,
    WriteBrokenPeerClosed,
    WriteBrokenBoth,
    Failing,
    Recovering,
    Stopping,
    Closed,
}

/// <summary>What can happen to a link; who reports it: docs/design/link-session.md.</summary>
internal enum LinkEvent
{
    Start,
    Close,
    Abort,
    GoodbyeWritten,
    AnswerWritten,
    FarewellWritten,
    SendFailed,
    PeerGoodbye,
    PeerGoodbyeFault,
    EndOfStream,
    Fault,
    HandlerFailed,
    StoreSettled,
    AllAcknowledged,
    Silence,
    PeerGone,
    Limit,
    TailHandled,
    ThreadsEnded,
}

/// <summary>What the owner of a session does after an event, in the order of these values; each is described in
/// docs/design/link-session.md.</summary>
[Flags]
internal enum LinkActions
{
    None = 0,
    StartReading = 1 << 0,
    StartReadingUnrouted = 1 << 1,
    SealQueue = 1 << 2,
    BreakQueue = 1 << 3,
    SendGoodbye = 1 << 4,
    SendAnswer = 1 << 5,
    SendFarewell = 1 << 6,
    SettleStore = 1 << 7,
    ShutdownSend = 1 << 8,
    LimitClose = 1 << 9,
    LimitRead = 1 << 10,
    CancelLimit = 1 << 11,
    CutWire = 1 << 12,
    Complete = 1 << 13,
}

/// <summary>What a transition says about the cause of a link's end.</summary>
internal enum LinkCauseKind
{
    /// <summary>Nothing: the link goes on, or its cause is known already.</summary>
    None,

    /// <summary>A clean end.</summary>
    Clean,

    PeerGone,
    Timeout,
    Aborted,

    /// <summary>The fault that the event brings.</summary>
    OfEvent,
}

/// <summary>Why a link ends.</summary>
/// <param name="Fault">The fault; None for a clean end.</param>
/// <param name="Reason">A sentence for a person.</param>
/// <param name="Exception">What was underneath, or null.</param>
internal sealed record LinkCause(TransportFault Fault, string Reason, Exception? Exception = null);
