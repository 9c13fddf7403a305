using System;
using BuildHarness.Worker;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Commands;

/// <summary>The main node's options, as the command line wants them.</summary>
internal static class LinkSettings
{
    public static MainNodeOptions Of(WorkerOptions options)
    {
        var settings = new MainNodeOptions { Link = { App = "buildharness" } };
        settings.Wire = options.Wire ?? settings.Wire;
        if (options.StallTimeout is { } timeout)
        {
            HeartbeatOptions heartbeat = settings.Link.Heartbeat;
            heartbeat.StallTimeout = timeout;

            // Whether a silent worker is stuck shows if it leaves a Ping unanswered: it must be asked in time.
            TimeSpan asked = TimeSpan.FromTicks(timeout.Ticks / 2);
            heartbeat.PingInterval = asked < heartbeat.PingInterval ? asked : heartbeat.PingInterval;
        }

        return settings;
    }

    /// <summary>Those of a build: its workers send what somebody takes.</summary>
    public static MainNodeOptions Of(BuildOptions options)
    {
        MainNodeOptions settings = Of((WorkerOptions)options);
        settings.Link.MinimumLevel = LevelOf(options);
        return settings;
    }

    /// <summary>Which events somebody takes.</summary>
    public static PacketLevel LevelOf(BuildOptions options) => WantedEvents.LevelOf(
        options.Log is not null || options.Journal is not null ? BuildVerbosity.Diagnostic : options.Verbosity);

    public static MainNodeOptions Of(ReplayOptions options)
    {
        MainNodeOptions settings = Of((WorkerOptions)options);
        settings.Link.UseTables = options.UseTables;
        return settings;
    }
}
