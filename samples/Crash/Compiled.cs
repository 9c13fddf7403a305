using Transport;

namespace Crash;

/// <summary>Worker to main node: one file is compiled.</summary>
[Packet(1024)]
internal sealed partial record Compiled(string File);
