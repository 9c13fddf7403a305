namespace Transport;

/// <summary>The fields of control and handshake packets; which packet has which: <see cref="FieldTable"/>.</summary>
internal enum Field
{
    Protocol,
    Min,
    Max,
    Secret,
    Node,
    Pid,
    App,
    Caps,
    MaxPacket,
    Version,
    Level,
    Code,
    Message,
    Field,
    Yours,
    Ours,
    Packets,
    Reason,
    Refused,
    Detail,
    Id,
    QueuedBytes,
    OldestMs,
    Lane,
    Bytes,
    ByLevel,
    Categories,
    Names,
}
