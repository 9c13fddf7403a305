using System;
using Transport.Testing.Wires;

namespace Transport.Testing.Links;

/// <summary>Times of links that a slow machine must not run into. What a test sets itself stays, and a clock that the test owns needs none
/// of this.</summary>
internal static class Patience
{
    /// <summary>Makes the deadlines of both sides long.</summary>
    public static LinkOptions WithPatience(this LinkOptions options)
    {
        var usual = new LinkOptions();
        if (!ReferenceEquals(options.TimeProvider, TimeProvider.System))
        {
            return options;
        }

        options.HandshakeTimeout = options.HandshakeTimeout == usual.HandshakeTimeout ? WithinExtensions.Bound : options.HandshakeTimeout;
        options.CloseTimeout = options.CloseTimeout == usual.CloseTimeout ? WithinExtensions.Bound : options.CloseTimeout;
        HeartbeatOptions heartbeat = options.Heartbeat;
        bool isUsual = heartbeat.SilenceTimeout == usual.Heartbeat.SilenceTimeout;
        heartbeat.SilenceTimeout = isUsual ? TimeSpan.FromMinutes(10) : heartbeat.SilenceTimeout;
        return options;
    }

    /// <summary>As <see cref="WithPatience"/>; and no Ping comes between what a script expects, however long it takes to say
    /// something.</summary>
    public static LinkOptions WithoutPings(this LinkOptions options)
    {
        if (ReferenceEquals(options.TimeProvider, TimeProvider.System))
        {
            options.Heartbeat.PingInterval = TimeSpan.FromMinutes(9);
        }

        return options.WithPatience();
    }
}
