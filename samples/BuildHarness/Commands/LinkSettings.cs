using System;
using Transport;

namespace BuildHarness.Commands;

/// <summary>The main node's options, as the command line wants them.</summary>
internal static class LinkWishes
{
    public static MainNodeOptions Of(WorkerOptions options)
    {
        var wishes = new MainNodeOptions { Link = { App = "buildharness" } };
        wishes.Wire = options.Wire ?? wishes.Wire;
        if (options.StallTimeout is { } timeout)
        {
            HeartbeatOptions heartbeat = wishes.Link.Heartbeat;
            heartbeat.StallTimeout = timeout;

            // Whether a silent worker is stuck shows if it leaves a Ping unanswered: it must be asked in time.
            TimeSpan asked = TimeSpan.FromTicks(timeout.Ticks / 2);
            heartbeat.PingInterval = asked < heartbeat.PingInterval ? asked : heartbeat.PingInterval;
        }

        return wishes;
    }

    public static MainNodeOptions Of(ReplayOptions options)
    {
        MainNodeOptions wishes = Of((WorkerOptions)options);
        (wishes.Link.StringTables, wishes.Link.MapTables) = (options.StringTables, options.MapTables);
        return wishes;
    }
}
