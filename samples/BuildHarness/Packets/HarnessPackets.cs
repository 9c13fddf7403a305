using BuildHarness.Events;
using Transport.Packets;

namespace BuildHarness.Packets;

/// <summary>The packets between the harness's main node and its workers (PACKETS.md).</summary>
internal static class HarnessPackets
{
    public const int BuildEventId = 512;

    public static PacketType<BuildEvent> BuildEvent { get; } = new(BuildEventId, "BuildEvent", new BuildEventFormatter());

    public static PacketType<BuildProject> BuildProject { get; } = new(513, "BuildProject", new BuildProjectFormatter());

    public static PacketType<ProjectBuilt> ProjectBuilt { get; } = new(514, "ProjectBuilt", new ProjectBuiltFormatter());

    public static PacketType<StopWork> StopWork { get; } = new(515, "StopWork", new StopWorkFormatter(), Lane.Urgent);

    public static PacketType<ReplayFile> ReplayFile { get; } = new(516, "ReplayFile", new ReplayFileFormatter());

    public static PacketType<Replayed> Replayed { get; } = new(517, "Replayed", new ReplayedFormatter());
}
