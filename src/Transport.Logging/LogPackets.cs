namespace Transport.Logging;

/// <summary>The log packets of PROTOCOL.md. Numbers, shapes and lanes never change; fields are only ever added at the end.</summary>
public static class LogPackets
{
    /// <summary>Gets type 256, a log event; normal lane.</summary>
    public static PacketType<LogEvent> Event { get; } =
        new(256, "LogEvent", new LogEventFormatter(), Lane.Normal, static e => (PacketLevel)e.Level, usesTables: true, validatesBody: true);

    /// <summary>Gets type 257, a line of output; normal lane, so that it keeps its place among the events.</summary>
    public static PacketType<OutputPacket> Output { get; } =
        new(257, "Output", new OutputPacketFormatter(), usesTables: true, validatesBody: true);

    /// <summary>Gets type 258, progress; normal lane.</summary>
    public static PacketType<ProgressPacket> Progress { get; } =
        new(258, "Progress", new ProgressPacketFormatter(), usesTables: true, validatesBody: true);
}
