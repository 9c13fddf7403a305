using System;
using System.IO;
using BuildHarness.Events;
using Microsoft.Build.Logging;

namespace BuildHarness.Replay;

/// <summary>A binary log, read event by event.</summary>
internal static class RecordedBuild
{
    /// <summary>Looks at a file's first bytes: a binary log is compressed (gzip).</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static bool MayBeOne(string file)
    {
        using FileStream begun = File.OpenRead(file);
        return begun.ReadByte() == 0x1f && begun.ReadByte() == 0x8b;
    }

    /// <summary>Reads the whole file and hands over each event in its order.</summary>
    /// <param name="file">The binary log.</param>
    /// <param name="take">Takes an event; on this thread.</param>
    /// <exception cref="UnreadableException">The file cannot be read to its end as a binary log. What <paramref name="take"/> throws comes
    /// as it is.</exception>
    public static void Read(string file, Action<BuildEvent> take)
    {
        var reader = new EventReader();
        var source = new BinaryLogReplayEventSource();
        Exception? taking = null;
        source.AnyEventRaised += (_, args) =>
        {
            BuildEvent one = reader.Read(args, recorded: true);
            try
            {
                take(one);
            }
            catch (Exception e)
            {
                taking = e;
                throw;
            }
        };
        try
        {
            source.Replay(file);
        }
#pragma warning disable CA1031 // a damaged file makes MSBuild's reader throw whatever its wrong numbers lead to
        catch (Exception e) when (taking is null)
#pragma warning restore CA1031
        {
            throw new UnreadableException(e);
        }
    }
}
