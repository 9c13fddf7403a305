using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>The ids of MSBuild's context.</summary>
internal static class EventIds
{
    public static BuildEventIds Of(BuildEventContext context) => new()
    {
        Submission = context.SubmissionId,
        Node = context.NodeId,
        Evaluation = context.EvaluationId,
        ProjectInstance = context.ProjectInstanceId,
        ProjectContext = context.ProjectContextId,
        Target = context.TargetId,
        Task = context.TaskId,
    };

    /// <summary>The ids as an event's value, for contexts that are a field of their own (a project's parent).</summary>
    public static object? ValueOf(BuildEventContext? context) => context is null ? null : new object?[]
    {
        EventBoxes.Of(context.SubmissionId), EventBoxes.Of(context.NodeId), EventBoxes.Of(context.EvaluationId),
        EventBoxes.Of(context.ProjectInstanceId), EventBoxes.Of(context.ProjectContextId), EventBoxes.Of(context.TargetId),
        EventBoxes.Of(context.TaskId),
    };
}
