namespace Transport;

/// <summary>Which workers of a pool are replaced by new ones when they have exited.</summary>
public enum WorkerRestart
{
    /// <summary>Every one, also one that has exited cleanly.</summary>
    Always = 0,

    /// <summary>One that has not exited cleanly (<see cref="WorkerExit.IsClean"/>), or could not be started.</summary>
    OnFailure = 1,

    /// <summary>None.</summary>
    Never = 2,
}
