using System;
using System.Collections.Generic;
using System.IO;
using Microsoft.Build.Logging;

namespace Transport.MSBuild;

/// <summary>Reads MSBuild's binary logs. Safe from any thread.</summary>
/// <remarks>Names MSBuild's types: the program must have found the SDK's assemblies before a method that calls <see cref="Read"/> is
/// compiled.</remarks>
public static class BinaryLog
{
    /// <summary>Looks at a file's first bytes: a binary log is compressed (gzip).</summary>
    /// <param name="path">The file.</param>
    /// <returns>Whether it may be a binary log.</returns>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static bool IsBinaryLog(string path)
    {
        using FileStream begun = File.OpenRead(path);
        return begun.ReadByte() == 0x1f && begun.ReadByte() == 0x8b;
    }

    /// <summary>Reads a whole file and hands over each event in its order.</summary>
    /// <param name="path">The binary log.</param>
    /// <param name="take">Takes an event; on this thread. What it throws comes as it is.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="InvalidDataException">The file is no binary log, or cut off or damaged; the message is a sentence of
    /// MSBuild's.</exception>
    public static void Read(string path, Action<BuildEvent> take)
    {
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(take);
        var reader = new BuildEventReader();
        var source = new BinaryLogReplayEventSource();
        Exception? taking = null;
        source.AnyEventRaised += (_, args) =>
        {
            BuildEvent one = reader.Read(args, isRecorded: true);
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
        Replay(source, path, () => taking is null);
    }

    /// <summary>Returns the paths of the files that are copied into a binary log.</summary>
    /// <param name="path">The binary log.</param>
    /// <exception cref="ArgumentNullException"><paramref name="path"/> is null.</exception>
    /// <exception cref="InvalidDataException">As for <see cref="Read"/>.</exception>
    public static IReadOnlyList<string> Files(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        var files = new List<string>();
        var source = new BinaryLogReplayEventSource();
        ((IBuildEventArgsReaderNotifications)source).ArchiveFileEncountered += one => files.Add(one.ArchiveData.FullPath);
        Replay(source, path, static () => true);
        return files;
    }

    /// <param name="source">Who listens has subscribed.</param>
    /// <param name="path">The binary log.</param>
    /// <param name="isTheFiles">Whether what was thrown is the file's fault, and no listener's.</param>
    private static void Replay(BinaryLogReplayEventSource source, string path, Func<bool> isTheFiles)
    {
        try
        {
            source.Replay(path);
        }
#pragma warning disable CA1031 // a damaged file makes MSBuild's reader throw whatever its wrong numbers lead to
        catch (Exception e) when (isTheFiles())
#pragma warning restore CA1031
        {
            throw new InvalidDataException(OneSentence(e), e);
        }
    }

    // Of a damaged archive the cause is inside; some messages go on with a stack trace.
    private static string OneSentence(Exception cause)
    {
        string sentence = cause.Message.ReplaceLineEndings("\n").Split('\n')[0].TrimEnd();
        return sentence.Length > 0 ? sentence : cause.GetType().Name;
    }
}
