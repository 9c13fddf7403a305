using System;

namespace Transport.Nats;

/// <summary>The options of a <see cref="JournalShipper"/>. Checked and copied when it starts.</summary>
public sealed class ShipperOptions
{
    /// <summary>Gets or sets the stream.</summary>
    /// <value>The default is <see cref="FleetStream"/>'s own.</value>
    public FleetStream Stream { get; set; } = new();

    /// <summary>Gets or sets the name of this machine, a word of the subjects.</summary>
    /// <value>Any text: what may not stand in a subject becomes a hyphen; the default is <see cref="Environment.MachineName"/>.</value>
    public string Machine { get; set; } = Environment.MachineName;

    /// <summary>Gets or sets whose word it takes for a packet to count as shipped.</summary>
    /// <value>The default is <see cref="Nats.ShippedBy.Receiver"/>.</value>
    public ShippedBy ShippedBy { get; set; } = ShippedBy.Receiver;

    /// <summary>Gets or sets a value indicating whether segments are dropped once all of their packets are shipped. For a shipper of an
    /// open journal (<see cref="Journal.PacketJournal"/>).</summary>
    /// <value>The default is false.</value>
    public bool Compacts { get; set; }

    /// <summary>Gets or sets a value indicating whether blocks are compressed (brotli).</summary>
    /// <value>The default is true: the events of builds get to a tenth and less, for a tenth more of the shipper's CPU. What gets no
    /// smaller is sent as it is, and then only each sixteenth block is tried.</value>
    public bool Compresses { get; set; } = true;

    /// <summary>Gets or sets the bytes that may be on their way without the server's acknowledgement.</summary>
    /// <value>64 KiB to 256 MiB; the default is 8 MiB.</value>
    public int WindowBytes { get; set; } = 8 << 20;

    /// <summary>Gets or sets the bytes of packets at which a block is closed. A longer packet is a block of its own, in parts if the
    /// server's
    /// <c>max_payload</c> is below it.</summary>
    /// <value>256 B to 512 KiB; the default is 64 KiB.</value>
    public int BlockBytes { get; set; } = 64 << 10;

    /// <summary>Gets or sets how long a block that is not full waits for more.</summary>
    /// <value>1 ms to 10 s; the default is 20 ms.</value>
    public TimeSpan MaxDelay { get; set; } = TimeSpan.FromMilliseconds(20);

    /// <summary>Gets or sets after how long without a server that can be used the shipper ends, with the fault.</summary>
    /// <value>Null by default: it never does, since a journal can wait.</value>
    public TimeSpan? GiveUpAfter { get; set; }

    /// <summary>Gets or sets what takes a line when something that a person should know has begun or ended: no server, packets that were
    /// dropped before they could be shipped. On a thread of the shipper; must not throw.</summary>
    public Action<string>? Report { get; set; }

    /// <summary>Gets or sets the clock.</summary>
    /// <value>The default is the system's.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change.</returns>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal ShipperOptions Checked()
    {
        var check = new OptionsCheck();
        check.Require(Stream is not null, nameof(Stream), null, "a stream");
        Stream?.Check(check.Within(nameof(Stream)));
        check.Require(Machine is not null, nameof(Machine), null, "a text");
        check.Bytes(nameof(WindowBytes), WindowBytes, 64 << 10, 256 << 20);
        check.Require(BlockBytes is >= 256 and <= 512 << 10, nameof(BlockBytes), BlockBytes, "256 B to 512 KiB");
        check.Between(nameof(MaxDelay), MaxDelay, TimeSpan.FromMilliseconds(1), TimeSpan.FromSeconds(10));
        check.Require(GiveUpAfter is null || GiveUpAfter > TimeSpan.Zero, nameof(GiveUpAfter), GiveUpAfter, "null, or a time");
        check.Require(TimeProvider is not null, nameof(TimeProvider), null, "a time provider");
        check.ThrowIfWrong("options");
        var copy = (ShipperOptions)MemberwiseClone();
        (copy.Stream, copy.Machine) = (Stream!.Copy(), Words.Of(Machine!));
        return copy;
    }
}
