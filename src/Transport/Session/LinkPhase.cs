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
