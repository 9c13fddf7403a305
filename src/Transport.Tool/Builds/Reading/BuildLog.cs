using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.MSBuild;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The build events of a journal, in its order: those of one build, or of all. Packets of other types are passed over. One
/// thread.</summary>
internal sealed class BuildLog : IDisposable
{
    /// <summary>What is added to the ids of each further process: more parts than a build has.</summary>
    private const int IdsOfProcess = 10_000_000;

    private readonly Dictionary<(int Build, string Process), int> _processes = [];
    private readonly JournalReader _reader;
    private readonly BuildUnits _units = new();
    private readonly int? _only;
    private readonly string? _choice;
    private readonly string? _process;
    private long _malformed, _firstMalformed;

    private BuildLog(string directory, JournalReader reader, int? only, string? choice, string? process = null)
    {
        _process = process;
        Directory = directory;
        _reader = reader;
        _only = only;
        _choice = choice;
    }

    /// <summary>Gets the journal's folder.</summary>
    public string Directory { get; }

    /// <summary>Gets what a person should know of what was read: which of several builds it is, that the journal ends early, and what was
    /// passed over; null: nothing.</summary>
    public string? Remark
    {
        get
        {
            string?[] remarks = [_choice, _malformed == 0 ? null : PassedOver, _reader.Ending is { } end ? $"the journal ends early: {end}" : null];
            string said = string.Join("; ", remarks.Where(one => one is not null));
            return said.Length == 0 ? null : said;
        }
    }

    /// <summary>Gets a value indicating whether the journal was closed by its writer.</summary>
    public bool IsClosed => _reader.Condition == JournalCondition.Closed;

    /// <summary>Opens the journal of a build that runs, and waits for what it adds. All of the journal's builds are read.</summary>
    /// <param name="directory">The folder.</param>
    /// <exception cref="ToolException">It is no journal, or cannot be read.</exception>
    public static BuildLog Follow(string directory) => new(FolderOf(directory), OpenReader(FolderOf(directory), follow: true), null, null);

    /// <summary>Opens the journal of a build.</summary>
    /// <param name="directory">The folder; null: that of this user's newest build.</param>
    /// <param name="choice">Which of its builds.</param>
    /// <exception cref="ToolException">It is no journal, cannot be read, or has no such build.</exception>
    public static BuildLog Open(string? directory, BuildChoice choice = default) =>
        Open(directory, choice, choice.IsAll ? 0 : ProcessesOf(directory).Count);

    /// <summary>Opens the journal of a build.</summary>
    /// <param name="directory">The folder; null: that of this user's newest build.</param>
    /// <param name="choice">Which of its builds.</param>
    /// <param name="count">How many builds it has (<see cref="ProcessesOf"/>); of no account if all are chosen.</param>
    /// <param name="process">The one MSBuild process whose events are read, with their own ids; null: all.</param>
    /// <exception cref="ToolException">It is no journal, cannot be read, or has no such build.</exception>
    public static BuildLog Open(string? directory, BuildChoice choice, int count, string? process = null)
    {
        string folder = FolderOf(directory);
        if (choice.IsAll)
        {
            return new BuildLog(folder, OpenReader(folder, follow: false), null, null);
        }

        int number = choice.Number ?? Math.Max(1, count);
        if (number > Math.Max(1, count))
        {
            throw new ToolException($"{folder} has {Counted.Of(count, "build")}: there is no build {number}.", ToolExitCodes.BadUsage);
        }

        string? said = count > 1 ? $"build {number} of {count} in this journal (--build chooses another)" : null;
        return new BuildLog(folder, OpenReader(folder, follow: false), number, said, process);
    }

    /// <summary>Returns the MSBuild processes of each build of a journal, in the order in which they came.</summary>
    /// <param name="directory">The folder; null: that of this user's newest build.</param>
    /// <exception cref="ToolException">It is no journal, or cannot be read.</exception>
    public static IReadOnlyList<IReadOnlyList<string>> ProcessesOf(string? directory)
    {
        string folder = FolderOf(directory);
        var units = new BuildUnits();
        var processes = new List<List<string>>();
        var known = new HashSet<(int Build, string Process)>();
        using JournalReader reader = OpenReader(folder, follow: false);
        try
        {
            foreach (JournalRecord record in reader)
            {
                int build = units.Take(record.Node, Begins(record));
                if (build > processes.Count)
                {
                    processes.Add([]);
                }

                string process = BuildUnits.ProcessOf(record.Node);
                if (known.Add((build, process)))
                {
                    processes[build - 1].Add(process);
                }
            }
        }
        catch (JournalException e)
        {
            throw JournalFaults.Of(folder, e);
        }

        return processes;
    }

    /// <summary>Reads the next event.</summary>
    /// <returns>The event; null if there is none, or none yet.</returns>
    /// <exception cref="ToolException">The journal cannot be read any more.</exception>
    public LoggedEvent? Next()
    {
        try
        {
            foreach (JournalRecord record in _reader)
            {
                int build = _units.Take(record.Node, Begins(record));
                if ((_only is null || build == _only) && (_process is null || BuildUnits.ProcessOf(record.Node) == _process)
                    && TryDecode(record) is { } one)
                {
                    return new LoggedEvent(record.Position, build, record.Node, WithOwnIds(build, record.Node, one));
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
        + $"{BuildEvent.PacketType.Id} passed over, the first at position {_firstMalformed}: no build events of this version");

    /// <returns>The event; null if the packet has another shape: it is passed over, and counted.</returns>
    private BuildEvent? TryDecode(in JournalRecord record)
    {
        try
        {
            return record.Read(BuildEvent.PacketType);
        }
        catch (TransportException)
        {
            _firstMalformed = _malformed++ == 0 ? record.Position : _firstMalformed;
            return null;
        }
    }

    private static string FolderOf(string? directory)
    {
        string folder = directory ?? BuildJournals.Newest()
            ?? throw new ToolException("no build of this user is kept here; name the folder of a journal.", ToolExitCodes.BadUsage);
        return !File.Exists(folder) ? folder : throw new ToolException($"{folder} is a file, a binary log of MSBuild perhaps: expected the "
            + "folder of a journal, as collect makes it.", ToolExitCodes.BadUsage);
    }

    private static JournalReader OpenReader(string folder, bool follow)
    {
        try
        {
            return JournalReader.Open(
                folder, new JournalReaderOptions { Follow = follow, Types = [BuildEvent.PacketType.Id], PastDamage = !follow });
        }
        catch (JournalException e)
        {
            throw JournalFaults.Of(folder, e);
        }
    }

    /// <summary>Whether a record is the beginning of an MSBuild process's build; of the others nothing but the kind is decoded.</summary>
    private static bool Begins(in JournalRecord record)
    {
        try
        {
            var reader = new PacketReader(record.Body);
            return reader.ReadArrayHeader(1) > 0 && reader.ReadInt32() == (int)BuildEventKind.BuildStarted;
        }
        catch (TransportException)
        {
            return false;   // who decodes it counts it
        }
    }

    /// <summary>Each process counts its projects from the beginning: those of the second one and others get numbers of their own, and node
    /// ids beyond those of the first.</summary>
    private BuildEvent WithOwnIds(int build, string journalNode, BuildEvent one)
    {
        (int Build, string Process) process = (build, BuildUnits.ProcessOf(journalNode));
        if (!_processes.TryGetValue(process, out int index))
        {
            _processes[process] = index = _processes.Count;
        }

        if (index == 0 || one.Context is not { } ids)
        {
            return one;
        }

        int more = index * IdsOfProcess;
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
