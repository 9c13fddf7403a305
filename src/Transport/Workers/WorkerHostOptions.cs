using System;

namespace Transport;

/// <summary>Options for <see cref="WorkerHost.ConnectAsync"/>, which copies them.</summary>
public sealed class WorkerHostOptions
{
    /// <summary>Gets or sets the options of the link.</summary>
    /// <value>The default is <see cref="LinkOptions"/>' own.</value>
    public LinkOptions Link { get; set; } = new();

    /// <summary>Gets or sets what is called when the main node changes the least level that it wants, with the new one; on the link's
    /// receive thread, so it must not wait. As <see cref="Transport.Link.LevelChanged"/>, but there before anything is read: no change is
    /// missed.</summary>
    /// <value>The default is null: nothing. The level to begin with is <see cref="Transport.Link.Level"/>.</value>
    public Action<PacketLevel>? OnLevelChanged { get; set; }

    /// <summary>Gets or sets a value indicating whether the link closes as soon as the main node asks this worker to finish
    /// (<c>WorkerProcess.StopAsync</c>). If not, the program closes it itself once <see cref="Transport.Link.StopRequested"/> is cancelled
    /// and its last packets are queued; else the main node kills it after <c>MainNodeOptions.StopTimeout</c>.</summary>
    /// <value>The default is true. <see cref="WorkerHost.RunAsync(PacketRouter, WorkerHostOptions)"/> and the
    /// one whose work takes a token take it for false.</value>
    public bool CloseOnStop { get; set; } = true;

    /// <summary>
    /// Gets or sets a value indicating whether this process ends when its main node has died or the link has ended in any other way than
    /// cleanly: with exit code <see cref="WorkerHost.MainNodeGoneExitCode"/>, within 2 s, whatever its threads are doing.
    /// </summary>
    /// <value>The default is true: no orphans.</value>
    public bool ExitWithMainNode { get; set; } = true;

    /// <summary>Gets or sets how long the host around this worker has to stop once its link has ended; null: there is no host.</summary>
    internal HostStop? Host { get; set; }
}
