namespace Transport;

/// <summary>The types of the transport's own packets (PROTOCOL.md, "Control packets"). They travel on lane 0.</summary>
internal static class ControlType
{
    public const ushort Hello = 1;
    public const ushort Welcome = 2;
    public const ushort Reject = 3;
    public const ushort Goodbye = 4;
    public const ushort Ack = 5;
    public const ushort Ping = 6;
    public const ushort Pong = 7;
    public const ushort SetLevel = 8;
    public const ushort Dropped = 9;

    /// <summary>10 is reserved.</summary>
    public const ushort Stop = 11;

    /// <summary>Acknowledge what came before, as soon as it is handled, and flushed if it is kept.</summary>
    public const ushort AckNow = 12;
}
