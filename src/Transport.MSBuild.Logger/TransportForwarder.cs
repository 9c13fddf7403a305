using System;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>Sends the events of one node of a build to the collector over a link of the node's own, so that they do not travel through
/// MSBuild: for programs that build in process with MSBuild's worker nodes. <c>BuildCollector.CreateForwarder</c> in Transport.MSBuild makes the pair
/// of this and the <see cref="TransportLogger"/> of the main process.</summary>
/// <remarks>
/// <para>A node that cannot reach the collector hands its events to MSBuild, and they go to the logger of the main process. What a node has
/// lost at its end is reported to that logger, which warns, or fails the build if <c>required=true</c>. Secrets are masked in the node: it
/// knows those of its own environment and of the events that it has seen.</para>
/// <para>MSBuild creates it in each node, and may raise events on several threads.</para>
/// </remarks>
public sealed class TransportForwarder : IForwardingLogger
{
    private readonly object _gate = new();
    private LoggerSettings _settings = new();
    private IEventSource? _source;   // under the lock, as the feed; null: ended
    private EventFeed? _feed;        // null: events go through MSBuild

    /// <summary>Gets or sets MSBuild's way to the logger of the main process.</summary>
    public IEventRedirector? BuildEventRedirector { get; set; }

    /// <summary>Gets or sets the number of the node, from 1.</summary>
    public int NodeId { get; set; }

    /// <summary>Gets or sets the verbosity that MSBuild asks for: not followed, every event is sent.</summary>
    public LoggerVerbosity Verbosity { get; set; } = LoggerVerbosity.Diagnostic;

    /// <summary>Gets or sets the parameters: those of <see cref="TransportLogger"/>.</summary>
    public string? Parameters { get; set; }

    /// <inheritdoc cref="Initialize(IEventSource)"/>
    /// <param name="eventSource">The node's events.</param>
    /// <param name="nodeCount">How many nodes the build may have.</param>
    public void Initialize(IEventSource eventSource, int nodeCount) => Initialize(eventSource);

    /// <summary>Connects to the collector, and begins to send. MSBuild calls it in each node before anything is built there.</summary>
    /// <param name="eventSource">The node's events.</param>
    /// <exception cref="ArgumentNullException"><paramref name="eventSource"/> is null.</exception>
    /// <exception cref="LoggerException"><see cref="TransportLogger.BadParameterCode"/>.</exception>
    public void Initialize(IEventSource eventSource)
    {
        if (eventSource is null)
        {
            throw new ArgumentNullException(nameof(eventSource));
        }

        _settings = LoggerSettings.Read(Parameters);
        lock (_gate)   // an event that is raised meanwhile waits until it is known which way it goes
        {
            TransportLogger.IncludeEvaluations(eventSource);
            _source = eventSource;
            eventSource.AnyEventRaised += Take;
            if (EventStream.TryConnect(_settings, $"n{NodeId}", out string? problem) is { } stream)
            {
                _feed = new EventFeed(_settings);
                _feed.Start(stream);
            }
            else
            {
                Report(LoggerCodes.NoCollector, $"its events go through MSBuild: {problem}");
            }
        }
    }

    /// <summary>Sends what is queued, within <c>wait</c>, and reports what was lost. MSBuild calls it after the build, twice.</summary>
    public void Shutdown()
    {
        EventFeed? feed;
        lock (_gate)
        {
            if (_source is { } source)
            {
                source.AnyEventRaised -= Take;
                _source = null;
            }

            feed = _feed;
            _feed = null;
        }

        if (feed?.CloseAsync(_settings.Wait).GetAwaiter().GetResult() is { IsComplete: false } report)
        {
            Report(LoggerCodes.EventsLost, report.ToString());
        }
    }

    private void Take(object sender, BuildEventArgs args)
    {
        if (args is BuildStartedEventArgs or BuildFinishedEventArgs)
        {
            return;   // MSBuild raises them in each node, and hands them to the logger of the main process in any case
        }

        lock (_gate)
        {
            if (_feed is { } feed)
            {
                feed.Take(args);
            }
            else if (_source is not null)
            {
                BuildEventRedirector?.ForwardEvent(args);
            }
        }
    }

    private void Report(string code, string text) => BuildEventRedirector?.ForwardEvent(
        new BuildWarningEventArgs(null, code, null, 0, 0, 0, 0, $"node {NodeId}: {text}", null, ForwarderWatch.Sender));
}
