namespace Transport.MSBuild;

/// <summary>Where in a build an event belongs: the seven ids of MSBuild's <c>BuildEventContext</c>, each -2 or -1 if there is
/// none.</summary>
public readonly record struct BuildEventIds
{
    internal const int Count = 7;

    /// <summary>Gets the submission: one request to build.</summary>
    public int Submission { get; init; }

    /// <summary>Gets the node of MSBuild, which is not the node of a link.</summary>
    public int Node { get; init; }

    /// <summary>Gets the evaluation.</summary>
    public int Evaluation { get; init; }

    /// <summary>Gets the project with its global properties.</summary>
    public int ProjectInstance { get; init; }

    /// <summary>Gets one build of that project.</summary>
    public int ProjectContext { get; init; }

    /// <summary>Gets the target.</summary>
    public int Target { get; init; }

    /// <summary>Gets the task.</summary>
    public int Task { get; init; }
}
