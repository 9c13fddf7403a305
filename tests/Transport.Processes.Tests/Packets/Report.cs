using System;
using System.Collections.Generic;

namespace Transport.Processes.Tests.Packets;

/// <summary>The new version of a packet, of which the helper program has the old one: it ends with Files.</summary>
[Packet(1030)]
internal sealed partial record Report(
    int Id,
    string Name,
    List<ReportFile> Files,
    string Text,
    double? Load,
    Dictionary<string, Guid> Ids,
    DateTimeOffset Time,
    ReportFile[] Extra,
    int Retries = 3);

/// <summary>The new version of a value in it: the old one ends with Path.</summary>
[PacketObject]
internal readonly partial record struct ReportFile(string Path, long Bytes = -1, string? Hash = null);
