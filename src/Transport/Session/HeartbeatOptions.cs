using System;

namespace Transport;

/// <summary>How a link finds out that its peer is silent or stands still. A part of <see cref="LinkOptions"/>, checked and copied with
/// it.</summary>
public sealed class HeartbeatOptions
{
    private static readonly TimeSpan Least = TimeSpan.FromMilliseconds(100);

    /// <summary>Gets or sets after how long without a frame from the peer a Ping is sent.</summary>
    /// <value>100 ms to 1 h, less than <see cref="SilenceTimeout"/>; the default is 5 s.</value>
    public TimeSpan PingInterval { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Gets or sets after how long without a frame from the peer, while a read is pending, the link ends with Timeout. As long
    /// may a send wait for capacity inside a handler of its own link (<see cref="TransportFault.HandlerBlocked"/>).</summary>
    /// <value>200 ms to 24 h; the default is 30 s.</value>
    public TimeSpan SilenceTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets or sets after how long something that stands still is reported (<see cref="Link.Stalled"/>): a handler of this side
    /// that does not return, or a peer that takes nothing of what is queued, handles nothing of what was written, or answers no Ping. A
    /// main node reports as long after its start of a worker that has not connected (<c>WorkerProcess.Stalled</c>). A report ends nothing.
    /// The link looks four times in the shortest of this, <see cref="PingInterval"/> and <see cref="SilenceTimeout"/>: a stall is reported
    /// within this time, at the earliest one look before it.</summary>
    /// <value>100 ms to 24 h; the default is 10 s.</value>
    public TimeSpan StallTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Notes every value that cannot be used.</summary>
    internal void Check(OptionsCheck check)
    {
        check.Between(nameof(PingInterval), PingInterval, Least, TimeSpan.FromHours(1));
        check.Between(nameof(SilenceTimeout), SilenceTimeout, Least + Least, TimeSpan.FromDays(1));
        string allowed = $"less than {nameof(SilenceTimeout)} ({SilenceTimeout:c})";
        check.Require(PingInterval < SilenceTimeout, nameof(PingInterval), PingInterval, allowed);
        check.Between(nameof(StallTimeout), StallTimeout, Least, TimeSpan.FromDays(1));
    }

    internal HeartbeatOptions Copy() => (HeartbeatOptions)MemberwiseClone();
}
