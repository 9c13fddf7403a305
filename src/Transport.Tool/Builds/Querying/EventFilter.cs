using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Transport.MSBuild;

namespace Transport.Tool;

/// <summary>Which events of a build are wanted. Of each kind of condition any one must hold, of all kinds all. Immutable.</summary>
internal sealed record EventFilter
{
    public IReadOnlyList<string> Projects { get; init; } = [];

    public IReadOnlyList<string> Targets { get; init; } = [];

    public IReadOnlyList<string> Tasks { get; init; } = [];

    public IReadOnlyList<string> Kinds { get; init; } = [];

    public IReadOnlyList<string> Codes { get; init; } = [];

    /// <summary>Gets what the text must contain, in any case.</summary>
    public IReadOnlyList<string> Texts { get; init; } = [];

    /// <summary>Gets the earliest time, in ticks of UTC; or, if it is <see cref="FromStart"/>, of the build.</summary>
    public long? After { get; init; }

    /// <summary>Gets the latest time, as <see cref="After"/>.</summary>
    public long? Before { get; init; }

    /// <summary>Gets a value indicating whether times count from the build's first event.</summary>
    public bool FromStart { get; init; }

    /// <summary>Gets the least verbosity at which an event is shown; null: all are.</summary>
    public BuildVerbosity? Verbosity { get; init; }

    /// <summary>Whether an event is wanted.</summary>
    /// <param name="one">The event.</param>
    /// <param name="names">What its ids stand for.</param>
    /// <param name="start">The time of the build's first event, in ticks.</param>
    public bool Takes(BuildEvent one, BuildNames names, long start)
    {
        long time = FromStart ? one.Ticks - start : one.Ticks;
        return (Verbosity is not { } verbosity || BuildEventText.LevelOf(one) <= verbosity)
            && (After is not { } after || time >= after) && (Before is not { } before || time <= before)
            && Any(Kinds, kind => IsKind(one.Kind, kind))
            && Any(Codes, code => string.Equals(one.Text("Code"), code, StringComparison.OrdinalIgnoreCase))
            && Any(Projects, project => IsProject(names.Project(one), project))
            && Any(Targets, target => names.Target(one).Equals(target, StringComparison.OrdinalIgnoreCase))
            && Any(Tasks, task => names.Task(one).Equals(task, StringComparison.OrdinalIgnoreCase))
            && Any(Texts, text => BuildEventText.Of(one).Contains(text, StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>Whether a kind goes by a name: its own, or error, warning and message for all of that sort.</summary>
    public static bool IsKind(BuildEventKind kind, string name) => name.ToUpperInvariant() switch
    {
        "ERROR" => BuildEventText.IsError(kind),
        "WARNING" => BuildEventText.IsWarning(kind),
        "MESSAGE" => kind is BuildEventKind.Message or BuildEventKind.CriticalMessage or BuildEventKind.ExtendedMessage
            or BuildEventKind.ExtendedCriticalMessage,
        _ => kind.ToString().Equals(name, StringComparison.OrdinalIgnoreCase),
    };

    private static bool Any(IReadOnlyList<string> wanted, Func<string, bool> holds) => wanted.Count == 0 || wanted.Any(holds);

    /// <summary>A project goes by its path, its file's name, or that without its ending.</summary>
    private static bool IsProject(string path, string name) => path.Equals(name, StringComparison.OrdinalIgnoreCase)
        || Path.GetFileName(path).Equals(name, StringComparison.OrdinalIgnoreCase)
        || Path.GetFileNameWithoutExtension(path).Equals(name, StringComparison.OrdinalIgnoreCase);
}
