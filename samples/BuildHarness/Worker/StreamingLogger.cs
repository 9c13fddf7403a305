using System;
using Microsoft.Build.Framework;
using Transport.MSBuild;

namespace BuildHarness.Worker;

/// <summary>Hands every event of a build on that somebody takes, in the order in which MSBuild raises them. An event is read while it is
/// raised, since what it refers to may change afterwards; its message stays in parts.</summary>
/// <param name="takes">Whether an event is taken at all; on the thread that raises it, as the next. Called with every event.</param>
/// <param name="take">Takes an event. It must not lose one.</param>
internal sealed class StreamingLogger(Func<BuildEventArgs, bool> takes, Action<BuildEvent> take) : ILogger
{
    private readonly BuildEventReader _reader = new() { KeepsParts = true };

    /// <summary>Gets or sets MSBuild's wish to filter: not followed, since what is shown is decided at the main node.</summary>
    public LoggerVerbosity Verbosity { get; set; } = LoggerVerbosity.Diagnostic;

    public string? Parameters { get; set; }

    public void Initialize(IEventSource eventSource)
    {
        // A project's properties and items come once, with its evaluation; otherwise with each of its dozens of ProjectStarted.
        (eventSource as IEventSource4)?.IncludeEvaluationPropertiesAndItems();
        eventSource.AnyEventRaised += (_, args) =>
        {
            if (takes(args))
            {
                take(_reader.Read(args));
            }
        };
    }

    public void Shutdown()
    {
    }
}
