using Microsoft.Build.Framework;

namespace BuildHarness.Events;

/// <summary>Where in a build an event belongs: MSBuild's seven ids.</summary>
internal readonly record struct EventContext(
    int Submission, int Node, int Evaluation, int ProjectInstance, int ProjectContext, int Target, int Task)
{
    public const int Ids = 7;

    public static EventContext Of(BuildEventContext context) => new(
        context.SubmissionId, context.NodeId, context.EvaluationId, context.ProjectInstanceId, context.ProjectContextId, context.TargetId,
            context.TaskId);

    /// <summary>The ids as an event's value, for contexts that are a field of their own (a project's parent).</summary>
    public static object? ValueOf(BuildEventContext? context)
    {
        if (context is null)
        {
            return null;
        }

        EventContext ids = Of(context);
        return new object?[]
        {
            EventValue.Box(ids.Submission), EventValue.Box(ids.Node), EventValue.Box(ids.Evaluation), EventValue.Box(ids.ProjectInstance),
            EventValue.Box(ids.ProjectContext), EventValue.Box(ids.Target), EventValue.Box(ids.Task),
        };
    }
}
