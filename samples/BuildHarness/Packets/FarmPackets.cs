using System;
using System.Collections.Generic;
using Transport;

namespace BuildHarness.Packets;

/// <summary>What all messages of one build to agents begin with.</summary>
/// <param name="Id">The build's own: 32 hexadecimal digits.</param>
/// <param name="Sdk">The version of home's .NET SDK; an agent with another refuses it.</param>
/// <param name="TokenPath">The full path of a file that agents must see.</param>
/// <param name="Token">What is in it.</param>
/// <param name="Level">Which events are wanted: the link's level for them, as its number.</param>
[PacketObject]
internal sealed partial record FarmBuild(string Id, string Sdk, string TokenPath, string Token, int Level);

/// <summary>Home to any agent, by the queue: lend a worker to the build, until the build ends it or the worker does. What home and worker
/// tell each other goes by <see cref="FarmLetters"/>.</summary>
/// <param name="Build">The build.</param>
/// <param name="Id">The loan's own: 32 hexadecimal digits.</param>
[Packet(527)]
internal sealed partial record FarmLoan(FarmBuild Build, string Id) : IRequest<FarmLoanEnd>;

/// <summary>Agent to home, a loan's first letter: this worker is lent.</summary>
/// <param name="Agent">The agent's id.</param>
/// <param name="Journal">The journal in which its events come.</param>
/// <param name="Node">The worker, as its events name it: AGENT.n1.</param>
[Packet(528)]
internal sealed partial record FarmLoanBegin(Guid Agent, Guid Journal, string Node);

/// <summary>Agent to home: the loan is over.</summary>
/// <param name="Refusal">Why there is none, or null.</param>
/// <param name="Who">The beginning of a sentence: which worker has ended, and how; null: the build has ended it.</param>
/// <param name="Details">Lines of the worker's exit report.</param>
[Packet(529)]
internal sealed partial record FarmLoanEnd(string? Refusal, string? Who = null, IReadOnlyList<string>? Details = null);

/// <summary>Either end of a loan to the other: packets, in order. Sent until <see cref="FarmReceived"/> says that they were
/// received.</summary>
/// <param name="First">The first one's number, from 1.</param>
/// <param name="Letters">The packets.</param>
[Packet(540)]
internal sealed partial record FarmLetters(long First, IReadOnlyList<FarmLetter> Letters);

/// <summary>A packet of a loan.</summary>
/// <param name="Type">Its type.</param>
/// <param name="Body">Its body.</param>
/// <param name="Events">How many events of the worker were in the journal before; 0 in letters of home.</param>
[PacketObject]
internal sealed partial record FarmLetter(int Type, ReadOnlyMemory<byte> Body, long Events);

/// <summary>The answer to <see cref="FarmLetters"/>.</summary>
/// <param name="Upto">All letters up to this number were received.</param>
[Packet(541)]
internal sealed partial record FarmReceived(long Upto);

/// <summary>Home to all agents, again and again for as long as the build goes on: who is there? What an agent has of the build stays.</summary>
/// <param name="Build">The build.</param>
[Packet(530)]
internal sealed partial record FarmCall(FarmBuild Build);

/// <summary>Agent to home, the answer to <see cref="FarmCall"/>.</summary>
/// <param name="Agent">The agent's id.</param>
/// <param name="Name">Its name.</param>
/// <param name="Workers">How many workers it lends.</param>
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
