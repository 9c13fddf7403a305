namespace BuildHarness.Scheduling;

/// <summary>What became of one project so far.</summary>
internal sealed class ProjectOutcome
{
    public ProjectState State { get; internal set; }

    /// <summary>Gets the node that built it last, or null.</summary>
    public string? Node { get; internal set; }

    /// <summary>Gets how often it was given to a node.</summary>
    public int Attempts { get; internal set; }

    /// <summary>Gets the id of the project that failed, if this one was skipped for it.</summary>
    public int? SkippedFor { get; internal set; }

    public bool IsFinal => State is ProjectState.Succeeded or ProjectState.Failed or ProjectState.Skipped or ProjectState.Stopped;
}
