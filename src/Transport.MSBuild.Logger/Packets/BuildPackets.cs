namespace Transport.MSBuild;

/// <summary>The packets of this package. Safe from any thread.</summary>
/// <remarks>Numbers 512 to 575 are kept for a build engine (PROTOCOL.md); 512 is this package's. docs/reference/build-events.md has its wire
/// form.</remarks>
public static class BuildPackets
{
    /// <summary>The number of <see cref="Event"/>.</summary>
    public const int EventId = 512;

    /// <summary>Gets the packet of build events, written by hand because its fields depend on its kind. It travels on the normal lane,
    /// with its texts and maps in the link's tables.</summary>
    public static PacketType<BuildEvent> Event { get; } =
        new(EventId, "BuildEvent", new BuildEventFormatter(), usesTables: true, validatesBody: true);
}
