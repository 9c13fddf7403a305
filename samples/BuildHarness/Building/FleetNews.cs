using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using BuildHarness.Packets;
using BuildHarness.Planning;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Building;

/// <summary>Something that the main loop must hear of.</summary>
internal abstract record FleetNews
{
    /// <summary>A worker has connected.</summary>
    internal sealed record Ready(FleetNode Node) : FleetNews;

    /// <summary>A worker has finished a project, all its events have come before.</summary>
    internal sealed record Built(BuildNode Node, ProjectBuilt Result) : FleetNews;

    /// <summary>A machine of the farm has begun what it was given; until then it waited for one.</summary>
    internal sealed record Begun(BuildNode Node) : FleetNews;

    /// <summary>What a machine of the farm was given has come to nothing.</summary>
    /// <param name="Node">What it was given to.</param>
    /// <param name="Who">Who ended, and how: the beginning of a sentence.</param>
    /// <param name="Details">Lines that belong to it: the worker's exit report.</param>
    internal sealed record Lost(BuildNode Node, string Who, IReadOnlyList<string> Details) : FleetNews;

    /// <summary>A worker has sent a recorded build.</summary>
    internal sealed record Replayed(FleetNode Node, Packets.Replayed Result) : FleetNews;

    /// <summary>A worker's process is over, and all that it had sent and written has come before.</summary>
    internal sealed record Ended(FleetNode Node, WorkerExit End) : FleetNews;

    /// <summary>The plan is there, so that building can begin.</summary>
    internal sealed record Planned(BuildPlan Plan) : FleetNews;

    /// <summary>The build must end: a signal, a full disk, a graph that cannot be read.</summary>
    /// <param name="Reason">Why.</param>
    /// <param name="Plan">What would have been built, if that is known and was not reported before.</param>
    internal sealed record Stop(string Reason, BuildPlan? Plan = null) : FleetNews;

    /// <summary>A helper task that the main loop depends on has failed with an exception that nobody expected.</summary>
    /// <param name="Fault">The exception.</param>
    internal sealed record Failed(ExceptionDispatchInfo Fault) : FleetNews;
}
