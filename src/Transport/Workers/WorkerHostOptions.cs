using System;

namespace Transport;

/// <summary>How a worker connects and ends: for <see cref="WorkerHost"/>, which copies them, and for a worker in a generic host
/// (Transport.Hosting).</summary>
public sealed class WorkerHostOptions
{
    /// <summary>Gets or sets the options of the link.</summary>
    /// <value>The default is <see cref="LinkOptions"/>' own.</value>
    public LinkOptions Link { get; set; } = new();

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

    /// <summary>Gets or sets how long a generic host around this worker (Transport.Hosting) may take to stop once its main node is gone;
    /// then the process is ended. Nothing to a worker without one.</summary>
    /// <value>0 to 1 h; the default is 30 s.</value>
    public TimeSpan ShutdownTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets or sets how long the host around this worker has to stop once its link has ended; null: there is no host.</summary>
    internal HostStop? Host { get; set; }

    /// <summary>Checks every value.</summary>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal void Check()
    {
        var check = new OptionsCheck();
        check.Between(nameof(ShutdownTimeout), ShutdownTimeout, TimeSpan.Zero, TimeSpan.FromHours(1));
        check.Require(Link is not null, nameof(Link), null, "link options");
        Link?.Check(check.Within(nameof(Link)), isListener: false);
        check.ThrowIfWrong("options");
    }
}
