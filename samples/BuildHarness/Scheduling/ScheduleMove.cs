using BuildHarness.Packets;

namespace BuildHarness.Scheduling;

/// <summary>Something that the schedule wants done, in this order.</summary>
internal abstract record ScheduleMove
{
    /// <summary>Give a request to a worker.</summary>
    internal sealed record Give(string Node, ScheduledRequest Request) : ScheduleMove;

    /// <summary>Answer a worker's question.</summary>
    /// <param name="Node">The worker.</param>
    /// <param name="Parent">The request that asks.</param>
    /// <param name="Question">The worker's id of the question.</param>
    /// <param name="Result">The answer.</param>
    internal sealed record Answer(string Node, ScheduledRequest Parent, int Question, WorkResult Result) : ScheduleMove;

    /// <summary>Ask a worker to watch a request that may wait for ever.</summary>
    /// <param name="Node">The worker.</param>
    /// <param name="Request">The request.</param>
    /// <param name="Round">What its answer must name.</param>
    internal sealed record Watch(string Node, ScheduledRequest Request, int Round) : ScheduleMove;

    /// <summary>Report a circle: a request wants, by others, itself.</summary>
    /// <param name="Request">What is wanted again.</param>
    /// <param name="By">Who wants it.</param>
    internal sealed record Circle(ScheduledRequest Request, ScheduledRequest By) : ScheduleMove;

    /// <summary>Report what became of a project.</summary>
    /// <param name="Project">The project.</param>
    /// <param name="Because">What has failed before, if it was not built for that; or null.</param>
    internal sealed record Settled(Configuration Project, Configuration? Because) : ScheduleMove;

    /// <summary>Report that a project will be given out once more, or will not.</summary>
    /// <param name="Request">What its worker was on when it died.</param>
    /// <param name="WillRetry">It is given out once more.</param>
    internal sealed record Lost(ScheduledRequest Request, bool WillRetry) : ScheduleMove;
}
