using System;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>What the logger of the main process learns of the forwarders in the nodes: what they report, and whether MSBuild uses them at
/// all. One thread at a time.</summary>
/// <param name="warn">Takes a line for a person.</param>
internal sealed class ForwarderWatch(Action<string> warn)
{
    /// <summary>The sender of what a forwarder reports.</summary>
    public const string Sender = "TransportForwarder";

    private bool _isReported;

    /// <summary>Gets what the forwarders have lost, in one line; null: nothing.</summary>
    public string? Losses { get; private set; }

    /// <summary>Looks at an event that MSBuild has handed to the main process: with forwarders there, none of a node is among
    /// them.</summary>
    /// <returns>Whether it is a forwarder's report, and no event of the build.</returns>
    public bool Takes(BuildEventArgs args)
    {
        if (args is BuildWarningEventArgs { SenderName: Sender } report)
        {
            _isReported = true;
            if (report.Code == LoggerCodes.EventsLost)
            {
                Losses = Losses is null ? report.Message : $"{Losses} {report.Message}";
            }
            else
            {
                warn(report.Message ?? string.Empty);
            }

            return true;
        }

        if (!_isReported && args.BuildEventContext is { NodeId: > 0 })
        {
            _isReported = true;
            warn("this MSBuild drops forwarders (TransportForwarder); the events of its nodes go through the main process instead.");
        }

        return false;
    }
}
