namespace Transport;

/// <summary>A worker that takes requests and packets of its pool. Under the pool's lock.</summary>
internal sealed class PoolMember(WorkerProcess worker, Link link)
{
    public WorkerProcess Worker { get; } = worker;

    public Link Link { get; } = link;

    /// <summary>Gets or sets the requests that wait for a response.</summary>
    public int Waiting { get; set; }

    /// <summary>Gets or sets how many requests it was given.</summary>
    public long Given { get; set; }

    /// <summary>Gets or sets when it was chosen last, as a running number.</summary>
    public long Turn { get; set; }

    /// <summary>Gets or sets why it is to be replaced once its requests are over; null: it is not.</summary>
    public string? Recycled { get; set; }

    /// <summary>Gets a value indicating whether it takes anything: it is connected, and nobody has asked it to stop.</summary>
    public bool IsOpen => Recycled is null && Link.IsOpen && !Worker.IsStopAsked;
}
