using System;
using BuildHarness.Events;
using Microsoft.Build.Logging;

namespace BuildHarness.Replay;

/// <summary>A binary log, read event by event.</summary>
internal static class RecordedBuild
{
    /// <summary>Reads the whole file and hands over each event in its order.</summary>
    /// <param name="file">The binary log.</param>
    /// <param name="take">Takes an event; on this thread.</param>
    /// <exception cref="System.IO.InvalidDataException">The file is no binary log, or is cut off.</exception>
    public static void Read(string file, Action<BuildEvent> take)
    {
        var reader = new EventReader();
        var source = new BinaryLogReplayEventSource();
        source.AnyEventRaised += (_, args) => take(reader.Read(args, recorded: true));
        source.Replay(file);
    }
}
