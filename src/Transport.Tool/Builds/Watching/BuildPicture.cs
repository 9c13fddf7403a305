using System;
using System.Collections.Generic;

namespace Transport.Tool;

/// <summary>Where a build stands. Immutable.</summary>
/// <param name="Nodes">What each node is on, in the order of their names.</param>
/// <param name="Finished">How many projects have been built; each counts once, however often it is asked for something.</param>
/// <param name="Failed">How many of them have failed.</param>
/// <param name="Open">How many are being built, or wait.</param>
/// <param name="Events">How many events have come.</param>
/// <param name="Warnings">How many warnings.</param>
/// <param name="Errors">How many errors.</param>
/// <param name="Elapsed">The time since its first event.</param>
/// <param name="Succeeded">Whether it has succeeded; null: it has not ended.</param>
internal sealed record BuildPicture(IReadOnlyList<NodePicture> Nodes, int Finished, int Failed, int Open, long Events, int Warnings,
    int Errors, TimeSpan Elapsed, bool? Succeeded);

/// <summary>What a node is on. Immutable.</summary>
/// <param name="Name">The node.</param>
/// <param name="Project">The project; empty: none.</param>
/// <param name="Target">The target that was begun last.</param>
/// <param name="Task">The task that is running; empty: none.</param>
/// <param name="Since">For how long.</param>
/// <param name="WaitsFor">The projects that it waits for, each with its node, or that it waits for one; empty: it works.</param>
internal sealed record NodePicture(string Name, string Project, string Target, string Task, TimeSpan Since, IReadOnlyList<string> WaitsFor);
