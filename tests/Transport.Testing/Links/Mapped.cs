using System.Collections.Generic;

namespace Transport.Testing.Links;

/// <summary>A packet of maps with a generated formatter that uses the link's tables.</summary>
/// <param name="Maps">Maps.</param>
[Packet(1025, Tables = true)]
public sealed partial record Mapped(List<Dictionary<string, int>> Maps);
