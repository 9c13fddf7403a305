namespace Transport.Files;

/// <summary>Work for a writer: one entry, or what has come of it so far.</summary>
internal abstract class OutputJob
{
    /// <summary>Gets or sets when it was queued, for the writer.</summary>
    public long QueuedAt { get; set; }

    /// <summary>Gets or sets the job behind it in the queue.</summary>
    public OutputJob? Behind { get; set; }

    /// <summary>Gets or sets what the entry itself, without its bytes, was charged with; given back by <see cref="Run"/>.</summary>
    public long Charge { get; set; }

    /// <summary>Gets the directory it is in: one writer takes neighbours, because two that make files in one directory wait for each other in the kernel.</summary>
    public abstract Folder Parent { get; }

    /// <summary>Gets the entry's path, made anew at each call.</summary>
    public abstract string Path { get; }

    /// <summary>Gets a value indicating whether its caller waits until it is done: then a writer is woken for it alone.</summary>
    public virtual bool IsAwaited => false;

    /// <summary>Does it. Never throws: failures go to the output's state.</summary>
    public abstract void Run(Writer writer);
}
