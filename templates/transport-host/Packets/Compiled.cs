using Transport;

namespace TransportApp.Packets;

/// <summary>Worker to main node: a file was compiled.</summary>
/// <remarks>The number is this packet's on the wire: 1024 to 65535, each once. Add fields at the end only: old programs then still read
/// it.</remarks>
[Packet(1024)]
public sealed partial record Compiled(string Path, int Milliseconds);
