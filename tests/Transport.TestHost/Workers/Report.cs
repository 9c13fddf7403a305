using System.Collections.Generic;

namespace Transport.TestHost.Workers;

/// <summary>The old version of a packet, of which Transport.Processes.Tests has the new one.</summary>
[Packet(1030)]
internal sealed partial record Report(int Id, string Name, List<ReportFile> Files);

/// <summary>The old version of a value in it.</summary>
[PacketObject]
internal readonly partial record struct ReportFile(string Path);
