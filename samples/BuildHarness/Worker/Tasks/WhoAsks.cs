using System;
using Microsoft.Build.Framework;

namespace BuildHarness.Worker.Tasks;

/// <summary>A task's question to the session that it runs in: an event that the session's logger takes for itself, fills in, and hands to
/// nobody. So a task, which MSBuild makes, finds its session without anything that the whole process shares; and MSBuild writes into
/// each event which of the session's requests it belongs to.</summary>
internal sealed class WhoAsks() : BuildMessageEventArgs(message: null, helpKeyword: null, senderName: null, MessageImportance.Low)
{
    /// <summary>Gets or sets the session's questions, or null: no session has taken it.</summary>
    public Questions? Questions { get; set; }

    /// <summary>Asks.</summary>
    /// <exception cref="InvalidOperationException">The task does not run in a session.</exception>
    public static WhoAsks Of(IBuildEngine engine)
    {
        var who = new WhoAsks();
        engine.LogMessageEvent(who);
        return who.Questions is null ? throw new InvalidOperationException("The task MSBuild of a worker runs outside of one.") : who;
    }
}
