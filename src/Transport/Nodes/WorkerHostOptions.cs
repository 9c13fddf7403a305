using Transport.Links;

namespace Transport.Nodes;

/// <summary>A worker's wishes. Copied by <see cref="WorkerHost.ConnectAsync"/>.</summary>
public sealed class WorkerHostOptions
{
    /// <summary>Gets or sets the options of the link.</summary>
    /// <value>The default is <see cref="LinkOptions"/>' own, with the node name "worker".</value>
    public LinkOptions Link { get; set; } = new() { Node = "worker" };

    /// <summary>
    /// Gets or sets a value indicating whether this process ends when its main node has died or the link has ended in any other way than cleanly:
    /// with exit code <see cref="WorkerHost.MainNodeGoneExitCode"/>, within 2 s, whatever its threads are doing.
    /// </summary>
    /// <value>The default is true: no orphans.</value>
    public bool ExitWithMainNode { get; set; } = true;
}
