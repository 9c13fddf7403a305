using System;
using System.Collections.Generic;
using System.IO;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.MSBuild;

namespace Transport.Tool.Tests.Builds;

/// <summary>Events of builds that were never run.</summary>
internal static class Samples
{
    /// <summary>The time of the first event; times of others count from it, in milliseconds.</summary>
    public static readonly long Zero = new DateTime(2026, 11, 26, 12, 0, 0, DateTimeKind.Utc).Ticks;

    public static BuildEvent Event(
        BuildEventKind kind, double at, int node = 1, int project = 0, int target = 0, int task = 0, string? message = null,
        params (string Name, object Value)[] values) => new()
    {
        Kind = kind,
        Ticks = Zero + (long)(at * TimeSpan.TicksPerMillisecond),
        TimeKind = DateTimeKind.Utc,
        Message = message,
        Context = new BuildEventIds { Node = node, ProjectContext = project, Target = target, Task = task },
        Fields = Fields(kind, values),
    };

    /// <summary>The fields of an event by name; the others are null.</summary>
    public static object?[] Fields(BuildEventKind kind, params (string Name, object Value)[] values)
    {
        List<string> names = [.. BuildEvent.FieldNames(kind)];
        var fields = new object?[names.Count];
        foreach ((string name, object value) in values)
        {
            fields[names.IndexOf(name)] = value;
        }

        return fields;
    }

    public static BuildEvent Project(int id, double at, string file, int node = 1, int parent = 0) => parent == 0
        ? Event(BuildEventKind.ProjectStarted, at, node, id, values: ("ProjectFile", file))
        : Event(BuildEventKind.ProjectStarted, at, node, id, values:
            [("ProjectFile", file), ("ParentProjectBuildEventContext", new object?[] { 0L, 1L, 0L, 0L, (long)parent, 0L, 0L })]);

    public static BuildEvent ProjectEnd(int id, double at, int node = 1, bool succeeded = true) =>
        Event(BuildEventKind.ProjectFinished, at, node, id, values: ("Succeeded", succeeded));

    /// <summary>App (0 to 100 ms) asks for Lib on node 2 (10 to 60), which asks for Core (20 to 50) there, and compiles from 70
    /// on.</summary>
    public static IEnumerable<BuildEvent> Nested() =>
    [
        Event(BuildEventKind.BuildStarted, 0),
        Project(1, 0, "/w/App.csproj"),
        Project(2, 10, "/w/Lib.csproj", node: 2, parent: 1),
        Project(3, 20, "/w/Core.csproj", node: 2, parent: 2),
        ProjectEnd(3, 50, node: 2),
        ProjectEnd(2, 60, node: 2),
        Event(BuildEventKind.TargetStarted, 70, project: 1, target: 5, values: ("TargetName", "CoreCompile")),
        Event(BuildEventKind.TaskStarted, 71, project: 1, target: 5, task: 9, values: ("TaskName", "Csc")),
        Event(BuildEventKind.TaskFinished, 95, project: 1, target: 5, task: 9, values: ("Succeeded", true)),
        Event(BuildEventKind.TargetFinished, 96, project: 1, target: 5, values: ("Succeeded", true)),
        ProjectEnd(1, 100),
        Event(BuildEventKind.BuildFinished, 100, values: ("Succeeded", true)),
    ];

    /// <summary>Writes a journal as <c>collect</c> does.</summary>
    public static async Task WriteJournalAsync(string directory, IEnumerable<BuildEvent> events, string node = "build")
    {
        await using PacketJournal journal = PacketJournal.Open(directory, new JournalOptions { Sync = JournalSync.None });
        var body = new System.Buffers.ArrayBufferWriter<byte>();
        foreach (BuildEvent one in events)
        {
            body.ResetWrittenCount();
            BuildEvent.PacketType.Formatter.Write(body, one);
            await journal.AppendAsync(new JournalNode(node), BuildEvent.PacketType.Id, body.WrittenMemory.ToArray());
        }
    }

    public static async Task<BuildModel> ModelAsync(string folder, IEnumerable<BuildEvent> events)
    {
        string journal = Path.Combine(folder, Guid.NewGuid().ToString("N"));
        await WriteJournalAsync(journal, events);
        using BuildLog log = BuildLog.Open(journal);
        return BuildModel.Of(log);
    }
}
