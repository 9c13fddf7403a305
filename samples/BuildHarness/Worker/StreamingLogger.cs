using System;
using Microsoft.Build.Framework;
using Transport.MSBuild;

namespace BuildHarness.Worker;

/// <summary>Hands every event of a build on, in the order in which MSBuild raises them.</summary>
/// <param name="take">Takes an event; on MSBuild's logging thread. It must not lose one.</param>
internal sealed class StreamingLogger(Action<BuildEvent> take) : ILogger
{
    private readonly BuildEventReader _reader = new();

    /// <summary>Gets or sets MSBuild's wish to filter: not followed, since what is shown is decided at the main node.</summary>
    public LoggerVerbosity Verbosity { get; set; } = LoggerVerbosity.Diagnostic;

    public string? Parameters { get; set; }

    public void Initialize(IEventSource eventSource)
    {
        // A project's properties and items come once, with its evaluation; otherwise with each of its dozens of ProjectStarted.
        (eventSource as IEventSource4)?.IncludeEvaluationPropertiesAndItems();
        eventSource.AnyEventRaised += (_, args) => take(_reader.Read(args));
    }

    public void Shutdown()
    {
    }
}
