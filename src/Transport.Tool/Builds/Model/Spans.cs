using System.Collections.Generic;

namespace Transport.Tool;

/// <summary>A stretch of a build's time.</summary>
/// <param name="name">What is called so.</param>
/// <param name="start">When it began, in ticks of UTC.</param>
internal abstract class BuildSpan(string name, long start)
{
    public string Name => name;

    public long Start { get; } = start;

    /// <summary>Gets or sets when it ended; if it was cut off, when the build's last event was raised.</summary>
    public long End { get; set; } = start;

    /// <summary>Gets or sets whether it succeeded; null: it has not ended.</summary>
    public bool? Succeeded { get; set; }

    public long Ticks => End - Start;

    /// <summary>Returns how something ended, in words.</summary>
    /// <param name="succeeded">Whether it succeeded; null: it was cut off.</param>
    public static string Result(bool? succeeded) => succeeded switch { true => "succeeded", false => "failed", _ => "cut off" };
}

/// <summary>One build of a project. A build may have very many: what most of them do not have takes no memory.</summary>
/// <param name="number">Its place among all, from 0.</param>
/// <param name="id">Its context.</param>
/// <param name="name">Its name for a person: the file's, and the framework if it has several.</param>
/// <param name="file">The project file.</param>
/// <param name="targets">What was asked for; empty: its default.</param>
/// <param name="node">The node that built it.</param>
/// <param name="start">When it began.</param>
internal sealed class ProjectSpan(int number, int id, string name, string file, string targets, string node, long start)
    : BuildSpan(name, start)
{
    private List<TargetSpan>? _targets;
    private ProjectSpan? _youngest, _older;   // the last child, and what this one's parent asked for before it

    public int Number => number;

    public int Id => id;

    public string File => file;

    public string Targets => targets;

    public string Node => node;

    /// <summary>Gets the project that asked for it; null: the build itself.</summary>
    public ProjectSpan? Parent { get; private set; }

    /// <summary>Gets the projects that it asked for, the last one first.</summary>
    public IEnumerable<ProjectSpan> Children
    {
        get
        {
            for (ProjectSpan? child = _youngest; child is not null; child = child._older)
            {
                yield return child;
            }
        }
    }

    /// <summary>Gets its targets, in their order.</summary>
    public IReadOnlyList<TargetSpan> OwnTargets => _targets ?? (IReadOnlyList<TargetSpan>)[];

    public void Add(ProjectSpan child) => (child.Parent, child._older, _youngest) = (this, _youngest, child);

    public void Add(TargetSpan target) => (_targets ??= []).Add(target);
}

/// <summary>One run of a target.</summary>
/// <param name="project">Its project.</param>
/// <param name="name">Its name.</param>
/// <param name="start">When it began.</param>
internal sealed class TargetSpan(ProjectSpan project, string name, long start) : BuildSpan(name, start)
{
    private List<TaskSpan>? _tasks;

    public ProjectSpan Project => project;

    /// <summary>Gets its tasks, in their order.</summary>
    public IReadOnlyList<TaskSpan> Tasks => _tasks ?? (IReadOnlyList<TaskSpan>)[];

    public void Add(TaskSpan task) => (_tasks ??= []).Add(task);
}

/// <summary>One run of a task.</summary>
/// <param name="target">Its target.</param>
/// <param name="name">Its name.</param>
/// <param name="start">When it began.</param>
internal sealed class TaskSpan(TargetSpan target, string name, long start) : BuildSpan(name, start)
{
    public TargetSpan Target => target;
}

/// <summary>A stretch of the critical path: what the build waited for at that time.</summary>
/// <param name="Project">The project that worked.</param>
/// <param name="Start">From when, in ticks.</param>
/// <param name="End">To when.</param>
internal sealed record PathStep(ProjectSpan Project, long Start, long End);

/// <summary>A warning or an error. Equal ones are one: a project with several frameworks repeats them.</summary>
/// <param name="IsError">Whether it is an error.</param>
/// <param name="Code">Its code; empty: none.</param>
/// <param name="Message">Its text.</param>
/// <param name="File">The file, as a full path if the project is known; empty: none.</param>
/// <param name="Line">The line; 0: none.</param>
/// <param name="Column">The column; 0: none.</param>
/// <param name="EndLine">The last line; 0: the same.</param>
/// <param name="Project">The project file; empty: none.</param>
internal sealed record Diagnostic(
    bool IsError, string Code, string Message, string File, int Line, int Column, int EndLine, string Project);
