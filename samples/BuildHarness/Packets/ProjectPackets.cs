using System.Collections.Generic;
using Transport;

namespace BuildHarness.Packets;

/// <summary>What is asked of a project: targets of a project file with global properties, as in MSBuild's own requests.</summary>
/// <param name="Path">The full path of the project file.</param>
/// <param name="Properties">All its global properties, escaped as MSBuild escapes them; names differ in more than case.</param>
/// <param name="Targets">The targets; empty: the project's own default.</param>
/// <param name="ToolsVersion">MSBuild's tools version, or null, as nearly always.</param>
/// <param name="SkipsMissingTargets">A target that the project does not have is no error.</param>
[PacketObject]
internal sealed partial record ProjectWork(
    string Path, IReadOnlyList<KeyValuePair<string, string>> Properties, IReadOnlyList<string> Targets, string? ToolsVersion = null,
    bool SkipsMissingTargets = false);

/// <summary>An item that a target returns.</summary>
/// <param name="Include">What it is, escaped.</param>
/// <param name="Metadata">Its own metadata, escaped.</param>
[PacketObject]
internal sealed partial record TargetItem(string Include, IReadOnlyList<KeyValuePair<string, string>> Metadata);

/// <summary>What came of a target.</summary>
/// <param name="Name">The target.</param>
/// <param name="Succeeded">It ran, and succeeded; false: it failed, or was skipped.</param>
/// <param name="Items">What it returns.</param>
[PacketObject]
internal sealed partial record TargetOutput(string Name, bool Succeeded, IReadOnlyList<TargetItem> Items);

/// <summary>What came of <see cref="ProjectWork"/>.</summary>
/// <param name="Succeeded">All of it succeeded.</param>
/// <param name="Targets">The targets that were asked for, or the default ones.</param>
[PacketObject]
internal sealed partial record WorkResult(bool Succeeded, IReadOnlyList<TargetOutput> Targets)
{
    /// <summary>Gets what has not been built.</summary>
    public static WorkResult Failed { get; } = new(Succeeded: false, []);
}

/// <summary>Main node to worker, before the first project: which warnings the build makes errors or messages, as MSBuild's switches say.
/// Null: the switch was not given; empty: all warnings.</summary>
/// <param name="AsErrors">Of <c>-warnAsError</c>.</param>
/// <param name="NotAsErrors">Of <c>-warnNotAsError</c>.</param>
/// <param name="AsMessages">Of <c>-warnAsMessage</c>.</param>
[Packet(518)]
internal sealed partial record StartSession(
    IReadOnlyList<string>? AsErrors = null, IReadOnlyList<string>? NotAsErrors = null, IReadOnlyList<string>? AsMessages = null);

/// <summary>Main node to worker: build this.</summary>
/// <param name="Id">The request's id.</param>
/// <param name="Work">What.</param>
/// <param name="IsEntry">It is the whole build, which no project asks for.</param>
[Packet(513, Tables = true)]
internal sealed partial record BuildProject(int Id, ProjectWork Work, bool IsEntry = false);

/// <summary>Worker to main node: a task of a project that it builds wants this of other projects, and waits for it.</summary>
/// <param name="Id">The worker's id of the first question; those of the others follow.</param>
/// <param name="Request">The request that waits.</param>
/// <param name="Work">What is wanted: a question each.</param>
[Packet(519, Tables = true)]
internal sealed partial record AskProject(int Id, int Request, IReadOnlyList<ProjectWork> Work);

/// <summary>Main node to worker, the answer to <see cref="AskProject"/>.</summary>
/// <param name="Id">The worker's id of the question.</param>
/// <param name="Result">What came of it.</param>
[Packet(534, Tables = true)]
internal sealed partial record AnswerProject(int Id, WorkResult Result);

/// <summary>Worker to main node: a project was evaluated. Before the first event of its build.</summary>
/// <param name="Path">The full path of the project file.</param>
/// <param name="Framework">Its target framework; empty: it has none, or stands for several.</param>
/// <param name="IsInner">It is one of several frameworks of its project.</param>
/// <param name="OutputFolder">The full path of the folder that its outputs go to, without a separator at the end; empty: it has
/// none.</param>
/// <param name="WrittenList">The full path of the file in which MSBuild notes what the project has written; empty: none.</param>
/// <param name="FailsForErrors">It makes errors of some warnings: then MSBuild lets a build fail for any error that is logged, though all
/// targets have succeeded.</param>
[Packet(535)]
internal sealed partial record ProjectEvaluated(
    string Path, string Framework, bool IsInner, string OutputFolder, string WrittenList, bool FailsForErrors = false);

/// <summary>Worker to main node, after the last event of the request.</summary>
/// <param name="Id">The request's id.</param>
/// <param name="Result">What came of it.</param>
/// <param name="Error">Why it could not even be tried, or null: what MSBuild threw and no event says.</param>
/// <param name="Errors">How many errors it has logged itself.</param>
/// <param name="Project">What it was evaluated to; null: it was not, or before.</param>
/// <param name="LeftOut">How many events of all requests so far the worker did not send because nobody takes them.</param>
[Packet(514, Tables = true)]
internal sealed partial record ProjectBuilt(
    int Id, WorkResult Result, string? Error, int Errors = 0, ProjectEvaluated? Project = null, long LeftOut = 0);

/// <summary>Main node to worker: say so once the request has stood still for a while without a target of its own. It then waits for a
/// target that another request of the same project has begun.</summary>
/// <param name="Id">The request's id.</param>
/// <param name="Round">What the answer must name.</param>
[Packet(536)]
internal sealed partial record WatchProject(int Id, int Round);

/// <summary>Worker to main node, the answer to <see cref="WatchProject"/>, unless the request ends before.</summary>
/// <param name="Id">The request's id.</param>
/// <param name="Round">That of the question.</param>
/// <param name="Events">How many events the worker has had so far: if it is the same later, nothing has happened there.</param>
[Packet(537)]
internal sealed partial record ProjectStandsStill(int Id, int Round, long Events);

/// <summary>Main node to worker: send what a project has put out.</summary>
/// <param name="Id">The project's id.</param>
/// <param name="Wanted">Which files.</param>
/// <param name="Project">The project.</param>
[Packet(538)]
internal sealed partial record SendOutputs(int Id, OutputsWanted Wanted, ProjectEvaluated Project);

/// <summary>Worker to main node, the answer to <see cref="SendOutputs"/>, once the outputs were taken.</summary>
/// <param name="Id">The project's id.</param>
[Packet(539)]
internal sealed partial record OutputsSent(int Id);
