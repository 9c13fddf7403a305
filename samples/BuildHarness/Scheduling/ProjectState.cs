namespace BuildHarness.Scheduling;

/// <summary>Where a project stands.</summary>
internal enum ProjectState
{
    /// <summary>Waits for its references, or for a node.</summary>
    Waiting,
    Building,
    Succeeded,
    Failed,

    /// <summary>Not built, because a reference failed or the build was stopped.</summary>
    Skipped,

    /// <summary>Was being built when the build was stopped, and did not finish: nobody knows whether it would have failed.</summary>
    Stopped,
}
