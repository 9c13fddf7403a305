using System;
using Transport;

namespace BuildHarness.Commands;

/// <summary>The main node's options, as the command line wants them.</summary>
internal static class LinkWishes
{
    public static MainNodeOptions Of(WorkerOptions options)
    {
        var wishes = new MainNodeOptions { Link = { Node = "main", App = "buildharness" } };
        wishes.Wire = options.Wire ?? wishes.Wire;
        if (options.StallTimeout is { } timeout)
        {
            wishes.Link.StallTimeout = timeout;

            // Whether a silent worker is stuck shows where it leaves a Ping unanswered: it must be asked in time.
            TimeSpan asked = TimeSpan.FromTicks(timeout.Ticks / 2);
            wishes.Link.PingInterval = asked < wishes.Link.PingInterval ? asked : wishes.Link.PingInterval;
        }

        return wishes;
    }
}
