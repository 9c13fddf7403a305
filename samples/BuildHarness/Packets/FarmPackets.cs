using System;
using System.Collections.Generic;
using Transport;

namespace BuildHarness.Packets;

/// <summary>What all messages of one build to agents begin with.</summary>
/// <param name="Id">The build's own: 32 hexadecimal digits.</param>
/// <param name="Sdk">The version of the .NET SDK that has planned it; an agent with another refuses it.</param>
/// <param name="TokenPath">The full path of a file that agents must see.</param>
/// <param name="Token">What is in it.</param>
/// <param name="Level">Which events are wanted: the link's level for them, as its number.</param>
[PacketObject]
internal sealed partial record FarmBuild(string Id, string Sdk, string TokenPath, string Token, int Level);

/// <summary>Home to any agent, by the queue: build this project. Its answer comes behind the last event of the project, by another
/// way.</summary>
/// <param name="Build">The build.</param>
/// <param name="Project">The project; no outputs are wanted.</param>
[Packet(527)]
internal sealed partial record FarmProject(FarmBuild Build, BuildProject Project) : IRequest<FarmProjectEnd>;

/// <summary>Agent to home: a worker has begun the project.</summary>
/// <param name="Agent">The agent's id.</param>
/// <param name="Journal">The journal in which its events come.</param>
/// <param name="Node">The worker, as its events name it: AGENT.n1.</param>
[Packet(528)]
internal sealed partial record FarmProjectBegin(Guid Agent, Guid Journal, string Node);

/// <summary>Agent to home: what came of the project.</summary>
/// <param name="Begin">Who had it; null: nobody, it was refused.</param>
/// <param name="Events">How many events of the worker were in the journal when it was done.</param>
/// <param name="Result">The worker's result; null: it ended before, or the agent has refused.</param>
/// <param name="Who">Who ended, and how; what the agent refuses, and why. Null with a result.</param>
/// <param name="Details">Lines of the worker's exit report.</param>
[Packet(529)]
internal sealed partial record FarmProjectEnd(
    FarmProjectBegin? Begin, long Events, ProjectBuilt? Result, string? Who = null, IReadOnlyList<string>? Details = null);

/// <summary>Home to all agents, again and again for as long as the build goes on: who is there? What an agent has of the build stays.</summary>
/// <param name="Build">The build.</param>
[Packet(530)]
internal sealed partial record FarmCall(FarmBuild Build);

/// <summary>Agent to home, the answer to <see cref="FarmCall"/>.</summary>
/// <param name="Agent">The agent's id.</param>
/// <param name="Name">Its name.</param>
/// <param name="Workers">How many projects it builds at once.</param>
/// <param name="Refusal">Why it cannot build this, or null.</param>
[Packet(531)]
internal sealed partial record FarmAnswer(Guid Agent, string Name, int Workers, string? Refusal = null);

/// <summary>Home to one agent: the build is over.</summary>
/// <param name="Build">The build's id.</param>
/// <param name="Reason">As of <see cref="StopWork"/>.</param>
[Packet(532)]
internal sealed partial record FarmBuildEnd(string Build, string Reason);

/// <summary>Agent to home, the answer to <see cref="FarmBuildEnd"/>: its workers have ended, and this is all.</summary>
/// <param name="Journal">The build's journal; null: it has built nothing.</param>
/// <param name="Nodes">Its workers, as JSON: the array of the summary.</param>
[Packet(533)]
internal sealed partial record FarmReport(Guid? Journal, string Nodes);
