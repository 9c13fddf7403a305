using System.Collections.Generic;

namespace Transport.Tool;

/// <summary>One run of a target.</summary>
/// <param name="project">Its project.</param>
/// <param name="name">Its name.</param>
/// <param name="start">When it began.</param>
internal sealed class TargetSpan(ProjectSpan project, string name, long start) : BuildSpan(name, start)
{
    public ProjectSpan Project => project;

    /// <summary>Gets its tasks, in their order.</summary>
    public List<TaskSpan> Tasks { get; } = [];
}

/// <summary>One run of a task.</summary>
/// <param name="target">Its target.</param>
/// <param name="name">Its name.</param>
/// <param name="start">When it began.</param>
internal sealed class TaskSpan(TargetSpan target, string name, long start) : BuildSpan(name, start)
{
    public TargetSpan Target => target;
}
