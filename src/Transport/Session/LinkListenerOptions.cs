using System;

namespace Transport;

/// <summary>The options of a <see cref="LinkListener"/> and of every link that it makes.</summary>
public sealed class LinkListenerOptions : LinkOptions
{
    /// <summary>Initializes a new instance of the <see cref="LinkListenerOptions"/> class with the defaults.</summary>
    public LinkListenerOptions()
        : base("main")
    {
    }

    /// <summary>Gets or sets the least log level that peers should send; reported in Welcome. <see cref="Link.SetLevel"/> changes it
    /// later.</summary>
    /// <value>The default is <see cref="PacketLevel.Trace"/>: everything.</value>
    public PacketLevel Level { get; set; }

    /// <summary>Gets or sets how many connections may be between connect and Welcome at once; one more closes the oldest, so that silent
    /// clients cannot keep a real one out.</summary>
    /// <value>1 to 65,536; the default is 256.</value>
    public int MaxPendingHandshakes { get; set; } = 256;

    /// <summary>Gets or sets how many links a listener holds at once; more are answered Reject busy.</summary>
    /// <value>1 to 65,536; the default is 1,024.</value>
    public int MaxLinks { get; set; } = 1024;

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change.</returns>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal LinkListenerOptions CheckedCopy()
    {
        var check = new OptionsCheck();
        Check(check);
        check.ThrowIfWrong("options");
        return (LinkListenerOptions)Copy();
    }

    /// <inheritdoc/>
    internal override void Check(OptionsCheck check)
    {
        base.Check(check);
        check.Require(Level is >= PacketLevel.Trace and <= PacketLevel.None, nameof(Level), Level, "Trace to Critical, None");
        check.Between(nameof(MaxPendingHandshakes), MaxPendingHandshakes, 1, 65_536);
        check.Between(nameof(MaxLinks), MaxLinks, 1, 65_536);
    }
}
