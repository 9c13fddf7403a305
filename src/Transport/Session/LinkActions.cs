using System;

namespace Transport;

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
