using System.Collections.Generic;

namespace Transport.Loads.TaskHosts;

/// <summary>An item of a build: what goes into a task, or comes out of it.</summary>
[PacketObject]
internal sealed partial record HostItem(string Spec, Dictionary<string, string> Metadata);

/// <summary>Asks a task host to run a task.</summary>
[Packet(1060, Tables = true)]
internal sealed partial record HostRequest(int Number, string Task, Dictionary<string, string> Environment, HostItem[] Items);

/// <summary>What came of it.</summary>
[Packet(1061, Tables = true)]
internal sealed partial record HostResponse(int Number, HostItem[] Items);

/// <summary>What the task logs meanwhile.</summary>
[Packet(1062, Tables = true)]
internal sealed partial record HostLog(int Number, string Text);
