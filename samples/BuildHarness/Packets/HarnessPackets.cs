using Transport.Tool;

namespace BuildHarness.Packets;

/// <summary>The harness's packets by name and as JSON, with the field names of PACKETS.md.</summary>
internal static class HarnessPackets
{
    public static PacketCatalog Catalog() => new PacketCatalog()
        .Add(ReplayFile.PacketType, (json, file) => PacketCatalog.Write(json, ("path", file.Path)))
        .Add(Replayed.PacketType, (json, replayed) => PacketCatalog.Write(json, ("events", replayed.Events), ("error", replayed.Error)))
        .Add(OutputFileBegin.PacketType, (json, begin) => PacketCatalog.Write(json, ("project", begin.Project), ("path", begin.Path),
            ("mode", begin.Mode), ("seconds", begin.Seconds), ("nanoseconds", begin.Nanoseconds)))
        .Add(OutputFileBytes.PacketType, (json, file) => PacketCatalog.Write(json, ("bytes", file.Bytes.ToArray())))
        .Add(OutputFileEnd.PacketType, (json, end) => PacketCatalog.Write(json, ("bytes", end.Bytes), ("sha256", end.Sha256.ToArray())))
        .Add(OutputsEnd.PacketType, (json, end) => PacketCatalog.Write(
            json, ("project", end.Project), ("files", end.Files), ("bytes", end.Bytes), ("error", end.Error)));
}
