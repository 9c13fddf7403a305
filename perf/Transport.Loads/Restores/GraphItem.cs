using System.Collections.Generic;

namespace Transport.Loads.Restores;

/// <summary>An item of a restore graph.</summary>
[Packet(1063, Tables = true)]
internal sealed partial record GraphItem(string Spec, Dictionary<string, string> Metadata);

/// <summary>Behind the last item.</summary>
[Packet(1064)]
internal sealed partial record GraphEnd(int Items);
