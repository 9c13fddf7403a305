namespace Transport;

/// <summary>The log level of a packet. The numbers travel on the wire and equal those of Microsoft.Extensions.Logging's LogLevel, so either
/// casts to the other.</summary>
public enum PacketLevel
{
    /// <summary>The most detailed messages.</summary>
    Trace = 0,

    /// <summary>Messages for a developer who looks for a fault.</summary>
    Debug = 1,

    /// <summary>The general course of events.</summary>
    Information = 2,

    /// <summary>Something unexpected that does not stop the work.</summary>
    Warning = 3,

    /// <summary>A failure of the current piece of work.</summary>
    Error = 4,

    /// <summary>A failure that needs attention at once.</summary>
    Critical = 5,

    /// <summary>As a wanted level: no packet that has a level. As the level of a packet: it has none.</summary>
    None = 6,
}
