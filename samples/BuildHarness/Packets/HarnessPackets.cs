using BuildHarness.Events;
using Transport;

namespace BuildHarness.Packets;

/// <summary>The packet of build events, written by hand because its fields depend on its kind (PACKETS.md). The others are each their own
/// <c>PacketType</c>.</summary>
internal static class HarnessPackets
{
    public const int BuildEventId = 512;

    /// <summary>The last number that PROTOCOL.md keeps for this sample.</summary>
    public const int LastId = 575;

    public static PacketType<BuildEvent> BuildEvent { get; } =
        new(BuildEventId, "BuildEvent", new BuildEventFormatter(), usesTables: true, validatesBody: true);
}
