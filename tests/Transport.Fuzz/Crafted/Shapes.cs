using System;
using System.Collections.Generic;
using System.Linq;
using Transport.MSBuild;

namespace Transport.Fuzz.Crafted;

/// <summary>Builds of one shape that goes on and on: what takes a command longer the more of it there is.</summary>
internal static class Shapes
{
    private const long Start = 638_000_000_000_000_000;

    /// <summary>Gets each shape's name, and what makes the event with a number.</summary>
    public static IReadOnlyList<(string Name, Func<int, (string Node, BuildEvent Event)> Make)> All { get; } =
    [
        ("each project asked for by the one before", i => ("build", Project(i, i - 1))),
        ("projects that all run on one node", i => ("build", Project(i, -1))),
        ("projects that all run, each asked for by the first", i => ("build", Project(i, 0))),
        ("projects that begin and end", i => ("build", i % 2 == 0 ? Project(i / 2, -1) : Ended(i / 2, i))),
        ("projects that end in the reverse order", i => ("build", i < 150_000 ? Project(i, i - 1) : Ended(Math.Max(0, 300_000 - i), i))),
        ("projects, targets that move among them", i => ("build", i < 100_000 ? Project(i, -1) : Target(i * 7919 % 100_000, i, i))),
        ("one project with ever more targets", i => ("build", i == 0 ? Project(0, -1) : Target(0, i, i))),
        ("one project built again and again", i => ("build", Project(1, 1))),
        ("projects that wait for each other by turns", Waiting),
        ("errors, each another", i => ("build", Diagnostic(i))),
        ("messages", i => ("build", Message(i, $"message {i}"))),
        ("one message of 4 MB after the other", i => ("build", Message(i, new string((char)('a' + (i % 26)), 4_000_000)))),
        ("one message of a million lines after the other",
            i => ("build", Message(i, string.Concat(Enumerable.Repeat("a\n", 1_000_000))))),
        ("builds that begin", i => ("build", new BuildEvent
        {
            Kind = BuildEventKind.BuildStarted, Ticks = Start + i, Fields = EventFields.Of(BuildEventKind.BuildStarted).Usual.ToArray(),
        })),
        ("processes of one build", i => ($"build.s{i % 1000}", Project(i, -1))),
        ("properties", i => ("build", Evaluated(i))),
    ];

    /// <summary>A message of high importance: every command shows it.</summary>
    private static BuildEvent Message(int i, string text) => new()
    {
        Kind = BuildEventKind.Message, Ticks = Start + i, Message = text, Fields = EventFields.Of(BuildEventKind.Message).Usual.ToArray(),
    };

    private static BuildEvent Of(BuildEventKind kind, int project, int part, long ticks, params (string Name, object? Value)[] fields)
    {
        EventFields known = EventFields.Of(kind);
        object?[] values = known.Usual.ToArray();
        foreach ((string name, object? value) in fields)
        {
            values[known.IndexOf(name)] = value;
        }

        var context = new BuildEventIds { ProjectInstance = project, ProjectContext = project, Target = part, Task = part };
        return new BuildEvent { Kind = kind, Ticks = Start + ticks, Context = context, Fields = values };
    }

    private static BuildEvent Project(int id, int parent) => Of(BuildEventKind.ProjectStarted, id, 0, id,
        ("ProjectFile", $"/a/{id}.csproj"),
        ("ParentProjectBuildEventContext", new object?[] { 0L, 0L, 0L, 0L, (long)parent, 0L, 0L }));

    private static BuildEvent Ended(int id, int at) => Of(BuildEventKind.ProjectFinished, id, 0, at, ("Succeeded", true));

    private static BuildEvent Target(int project, int target, int at) =>
        Of(BuildEventKind.TargetStarted, project, target, at, ("TargetName", $"T{target}"));

    private static BuildEvent Diagnostic(int i) => Of(BuildEventKind.Error, 0, 0, i,
        ("Code", $"E{i}"), ("File", $"f{i}.cs"), ("ProjectFile", $"/a/{i}.csproj")).WithContext(default);

    private static BuildEvent Evaluated(int i) => Of(BuildEventKind.ProjectEvaluationFinished, i, 0, i, ("ProjectFile", $"/a/{i}.csproj"),
        ("Properties", new BuildEventMap([.. Enumerable.Range(0, 1000).Select(n => new KeyValuePair<string, string?>($"P{n}", $"{i}"))])));

    /// <summary>A project asks for one, which ends, then for the next, and so on; and each of those the same.</summary>
    private static (string Node, BuildEvent Event) Waiting(int i)
    {
        int project = i / 5;
        return ("build", (i % 5) switch
        {
            0 => Project(project, project / 2),
            1 => Target(project, 1, i),
            2 => Of(BuildEventKind.TaskStarted, project, 1, i, ("TaskName", "MSBuild")),
            3 => Of(BuildEventKind.TaskFinished, project, 1, i + 5000, ("Succeeded", true)),
            _ => Ended(project, i + 6000),
        });
    }
}
