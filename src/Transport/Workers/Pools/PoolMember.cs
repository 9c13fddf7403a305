namespace Transport;

/// <summary>A worker that takes requests and packets of its pool.</summary>
internal sealed class PoolMember(WorkerProcess worker, Link link)
{
    public WorkerProcess Worker { get; } = worker;

    public Link Link { get; } = link;

    /// <summary>Gets or sets the requests that wait for a response. Under the pool's lock.</summary>
    public int Waiting { get; set; }

    /// <summary>Gets or sets when it was chosen last, as a running number. Under the pool's lock.</summary>
    public long Turn { get; set; }
}
