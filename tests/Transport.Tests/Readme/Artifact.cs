#pragma warning disable CA1050, MA0047 // as a user writes it
using Transport;

[Packet(1024)]
public sealed partial record Artifact(string Path, long Bytes, string? Hash = null);
