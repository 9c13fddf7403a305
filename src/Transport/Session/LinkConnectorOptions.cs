using System;

namespace Transport;

/// <summary>The options of a link whose side connects (<see cref="Link.ConnectAsync"/>).</summary>
public sealed class LinkConnectorOptions : LinkOptions
{
    /// <summary>Initializes a new instance of the <see cref="LinkConnectorOptions"/> class with the defaults.</summary>
    public LinkConnectorOptions()
        : base("worker")
    {
    }

    /// <summary>Gets or sets how long connecting to the endpoint may take; the handshake comes after it.</summary>
    /// <value>100 ms to 10 min; the default is 30 s.</value>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change.</returns>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal LinkConnectorOptions CheckedCopy()
    {
        var check = new OptionsCheck();
        Check(check);
        check.ThrowIfWrong("options");
        return (LinkConnectorOptions)Copy();
    }

    /// <summary>Makes a checked copy for several links, one after the other, which share a pool.</summary>
    internal LinkConnectorOptions CopyWithPool()
    {
        LinkConnectorOptions copy = CheckedCopy();
        copy.Pool = GetOrCreatePool();
        return copy;
    }

    /// <inheritdoc/>
    internal override void Check(OptionsCheck check)
    {
        base.Check(check);
        check.Between(nameof(ConnectTimeout), ConnectTimeout, TimeSpan.FromMilliseconds(100), TimeSpan.FromMinutes(10));
    }
}
