namespace Transport;

/// <summary>Which worker of a pool gets the next request or packet.</summary>
public enum WorkerChoice
{
    /// <summary>The one with the fewest requests of the pool that wait for a response; of several the one with the fewest bytes queued,
    /// then the one that has waited longest.</summary>
    LeastBusy = 0,

    /// <summary>One after the other.</summary>
    RoundRobin = 1,
}
