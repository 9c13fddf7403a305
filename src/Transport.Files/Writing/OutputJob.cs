namespace Transport.Files;

/// <summary>Work for a writer: one entry, or the part of it that has come so far.</summary>
internal abstract class OutputJob
{
    /// <summary>Gets or sets the time at which it was queued.</summary>
    public long QueuedAt { get; set; }

    /// <summary>Gets or sets the job after it in the queue.</summary>
    public OutputJob? Next { get; set; }

    /// <summary>Gets or sets the bytes charged for the entry itself, without its content; <see cref="Run"/> gives them back.</summary>
    public long Charge { get; set; }

    /// <summary>
    /// Gets the directory it is in. One writer takes neighbours, because two in one directory wait for each other in the kernel.
    /// </summary>
    public abstract Folder Parent { get; }

    /// <summary>Gets the entry's path, built at each call.</summary>
    public abstract string Path { get; }

    /// <summary>Gets a value indicating whether its caller waits for it. Then a writer is woken for it alone.</summary>
    public virtual bool IsAwaited => false;

    /// <summary>Does the work. Never throws: failures go to the output's state.</summary>
    /// <param name="writer">The writer that does it.</param>
    public abstract void Run(Writer writer);
}
