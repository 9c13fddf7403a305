namespace Transport;

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
