using System;

namespace Transport.Hosting;

/// <summary>Options for <see cref="ServiceCollectionExtensions.AddTransportWorker"/>; also read from the configuration section
/// <c>Transport:Worker</c>.</summary>
public sealed class HostedWorkerOptions
{
    /// <summary>Gets or sets the options of the link.</summary>
    /// <value>The default is <see cref="LinkOptions"/>' own.</value>
    public LinkOptions Link { get; set; } = new();

    /// <summary>Gets or sets how long the host may take to stop once its main node is gone; then the process exits.</summary>
    /// <value>0 to 1 h; the default is 30 s.</value>
    public TimeSpan ShutdownTimeout { get; set; } = TimeSpan.FromSeconds(30);

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
