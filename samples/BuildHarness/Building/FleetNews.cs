using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using BuildHarness.Packets;
using Transport;

namespace BuildHarness.Building;

/// <summary>Something that the main loop must hear of.</summary>
internal abstract record FleetNews
{
    /// <summary>Packages are restored, so that building can begin.</summary>
    internal sealed record Prepared : FleetNews;

    /// <summary>A worker can take requests.</summary>
    internal sealed record Ready(BuildNode Node) : FleetNews;

    /// <summary>A worker has said something of what it is on.</summary>
    internal abstract record Said(BuildNode Node) : FleetNews;

    /// <summary>A worker asks for a project.</summary>
    internal sealed record Asked(BuildNode Node, AskProject Question) : Said(Node);

    /// <summary>A worker has evaluated a project.</summary>
    internal sealed record Evaluated(BuildNode Node, ProjectEvaluated Project) : Said(Node);

    /// <summary>A worker has finished a request, all its events have come before.</summary>
    internal sealed record Built(BuildNode Node, ProjectBuilt Result) : Said(Node);

    /// <summary>A request that was watched stands still.</summary>
    internal sealed record StandsStill(BuildNode Node, ProjectStandsStill Request) : Said(Node);

    /// <summary>A worker has sent what a project has put out, and it was taken.</summary>
    internal sealed record Sent(FleetNode Node, int Project) : FleetNews;

    /// <summary>A worker of the farm is lost, with all that it had.</summary>
    /// <param name="Node">The worker.</param>
    /// <param name="Who">Who ended, and how: the beginning of a sentence.</param>
    /// <param name="Details">Lines that belong to it: the worker's exit report.</param>
    internal sealed record Lost(BuildNode Node, string Who, IReadOnlyList<string> Details) : FleetNews;

    /// <summary>A worker that was to be borrowed is not to be had; another may be.</summary>
    internal sealed record Vain : FleetNews;

    /// <summary>A worker has sent a recorded build.</summary>
    internal sealed record Replayed(FleetNode Node, Packets.Replayed Result) : FleetNews;

    /// <summary>A worker's process is over, and all that it had sent and written has come before.</summary>
    internal sealed record Ended(FleetNode Node, WorkerExit End) : FleetNews;

    /// <summary>The build must end: a signal, a full disk, a restore that has failed.</summary>
    /// <param name="Reason">Why.</param>
    internal sealed record Stop(string Reason) : FleetNews;

    /// <summary>A helper task that the main loop depends on has failed with an exception that nobody expected.</summary>
    /// <param name="Fault">The exception.</param>
    internal sealed record Failed(ExceptionDispatchInfo Fault) : FleetNews;
}
