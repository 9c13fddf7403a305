using BuildHarness.Packets;
using Transport.MSBuild;

namespace BuildHarness.Worker;

/// <summary>Takes what happens in a <see cref="BuildSession"/>, on MSBuild's threads: while one waits here the build does.</summary>
internal interface ISessionEvents
{
    /// <summary>Takes an event; all of a request's before its result.</summary>
    void Send(BuildEvent one);

    /// <summary>Takes what a project was evaluated to, before any other event of it.</summary>
    void Evaluated(ProjectEvaluated project);

    /// <summary>Takes a question; its task waits for the answer.</summary>
    void Ask(AskProject question);

    /// <summary>Takes what came of a request.</summary>
    void Built(ProjectBuilt result);

    /// <summary>A request that is watched stands still.</summary>
    void StandsStill(ProjectStandsStill request);
}
