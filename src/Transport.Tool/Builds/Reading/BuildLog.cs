using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.MSBuild;

namespace Transport.Tool;

/// <summary>The build events of a journal, in its order. Packets of other types are passed over. One thread.</summary>
internal sealed class BuildLog : IDisposable
{
    /// <summary>What is added to the ids of each further node: more parts than a build has.</summary>
    private const int IdsOfNode = 10_000_000;

    private readonly Dictionary<string, int> _nodes = new(StringComparer.Ordinal);
    private readonly JournalReader _reader;
    private long _malformed, _firstMalformed;

    private BuildLog(string directory, JournalReader reader)
    {
        Directory = directory;
        _reader = reader;
    }

    /// <summary>Gets the journal's folder.</summary>
    public string Directory { get; }

    /// <summary>Gets what a person should know of what was read: that the journal ends early, and what was passed over; null:
    /// nothing.</summary>
    public string? Remark => (_reader.Ending, _malformed) switch
    {
        (null, 0) => null,
        (null, _) => PassedOver,
        ({ } ending, 0) => $"the journal ends early: {ending}",
        ({ } ending, _) => $"{PassedOver}; the journal ends early: {ending}",
    };

    /// <summary>Gets a value indicating whether the journal was closed by its writer.</summary>
    public bool IsClosed => _reader.Condition == JournalCondition.Closed;

    /// <summary>Opens the journal of a build.</summary>
    /// <param name="directory">The folder; null: that of this user's newest build.</param>
    /// <param name="follow">Whether to wait for what a build that is running adds.</param>
    /// <exception cref="ToolException">It is no journal, or cannot be read.</exception>
    public static BuildLog Open(string? directory, bool follow)
    {
        string folder = directory ?? BuildJournals.Newest()
            ?? throw new ToolException("no build of this user is kept here; name the folder of a journal.", ToolExitCodes.BadUsage);
        if (File.Exists(folder))
        {
            throw new ToolException($"{folder} is a file, a binary log of MSBuild perhaps: expected the folder of a journal, as collect "
                + "makes it.", ToolExitCodes.BadUsage);
        }

        try
        {
            var options = new JournalReaderOptions { Follow = follow, Types = [BuildPackets.EventId], PastDamage = !follow };
            return new BuildLog(folder, JournalReader.Open(folder, options));
        }
        catch (JournalException e)
        {
            throw JournalFaults.Of(folder, e);
        }
    }

    /// <summary>Reads the next event.</summary>
    /// <returns>The event; null if there is none, or none yet.</returns>
    /// <exception cref="ToolException">The journal cannot be read any more.</exception>
    public LoggedEvent? Next()
    {
        try
        {
            while (_reader.TryRead(out JournalRecord record))
            {
                if (TryDecode(record) is { } one)
                {
                    return new LoggedEvent(record.Position, record.Node, WithOwnIds(record.Node, one));
                }
            }

            return null;
        }
        catch (JournalException e)
        {
            throw JournalFaults.Of(Directory, e);
        }
    }

    /// <summary>Reads all there is.</summary>
    /// <exception cref="ToolException">As for <see cref="Next"/>.</exception>
    public IEnumerable<LoggedEvent> ReadAll()
    {
        while (Next() is { } one)
        {
            yield return one;
        }
    }

    /// <summary>Waits for more.</summary>
    /// <returns>False if there will be none.</returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    public ValueTask<bool> WaitAsync(CancellationToken cancellationToken) => _reader.WaitAsync(cancellationToken);

    /// <summary>Closes the files.</summary>
    public void Dispose() => _reader.Dispose();

    private string PassedOver => string.Create(CultureInfo.InvariantCulture, $"{Counted.Of(_malformed, "packet")} of type "
        + $"{BuildPackets.EventId} passed over, the first at position {_firstMalformed}: no build events of this version");

    /// <returns>The event; null if the packet has another shape: it is passed over, and counted.</returns>
    private BuildEvent? TryDecode(in JournalRecord record)
    {
        try
        {
            return BuildPackets.Event.Formatter.Read(new ReadOnlySequence<byte>(record.Body));
        }
        catch (TransportException)
        {
            _firstMalformed = _malformed++ == 0 ? record.Position : _firstMalformed;
            return null;
        }
    }

    /// <summary>Each node counts its projects from the beginning: those of the second one and others get numbers of their own, and node
    /// ids beyond those of the first. Parts of one build (<see cref="BuildNames.BuildOf"/>) have the same numbers already.</summary>
    private BuildEvent WithOwnIds(string journalNode, BuildEvent one)
    {
        string node = BuildNames.BuildOf(journalNode);
        if (!_nodes.TryGetValue(node, out int index))
        {
            _nodes[node] = index = _nodes.Count;
        }

        if (index == 0 || one.Context is not { } ids)
        {
            return one;
        }

        int more = index * IdsOfNode;
        return one.WithContext(ids with
        {
            Submission = Moved(ids.Submission, more),
            Node = Moved(ids.Node, index * 1000),
            Evaluation = Moved(ids.Evaluation, more),
            ProjectInstance = Moved(ids.ProjectInstance, more),
            ProjectContext = Moved(ids.ProjectContext, more),
        });
    }

    private static int Moved(int id, int by) => id < 0 ? id : id + by;
}
