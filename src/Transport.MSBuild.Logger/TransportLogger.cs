using System;
using System.IO;
using System.Runtime.CompilerServices;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>A logger for MSBuild that sends every event of a build to a collector in another process, such as <c>transport collect</c>:
/// <c>-logger:TransportLogger,Transport.MSBuild.Logger.dll;connect=FILE</c>.</summary>
/// <remarks>
/// <para>A collector that is not there, is slow, stands still or ends never fails a build and never delays it beyond <c>wait</c>: one line
/// on stderr says what was lost, in numbers. Values of secrets are masked before an event leaves the process.</para>
/// <para>Parameters, separated by semicolons: <c>connect</c>, the file in which the collector says where it is (by
/// default the newest <c>transport collect</c> of this user; if none runs, nothing is sent and nothing said); <c>required</c> (false): a
/// build without a collector, or with events lost, fails; <c>mask</c> (true): secrets are masked; <c>secrets</c> and <c>public</c>: names,
/// separated by commas, whose values are secrets, or are none; <c>wait</c> (2): how many seconds the build waits at most, to connect and
/// again at its end.</para>
/// <para>MSBuild may raise events on its logging thread while it initializes its loggers. After <see cref="Shutdown"/> the logger holds no
/// thread, no connection and no memory of the build, so that an MSBuild server can live on.</para>
/// </remarks>
public sealed class TransportLogger : ILogger
{
    /// <summary>The environment variable by which <c>transport collect</c> tells a build that it is collected.</summary>
    internal const string CollectedVariable = "TRANSPORT_COLLECTED";

    /// <summary>The code of an error: a parameter is unknown or has an invalid value.</summary>
    public const string BadParameterCode = LoggerCodes.BadParameter;

    /// <summary>The code of an error if <c>required=true</c>: the collector could not be reached.</summary>
    public const string NoCollectorCode = LoggerCodes.NoCollector;

    /// <summary>The code of an error if <c>required=true</c>: events were lost.</summary>
    public const string EventsLostCode = LoggerCodes.EventsLost;

    private readonly object _gate = new();
    private LoggerSettings _settings = new();
    private IEventSource? _source;
    private EventFeed? _feed;   // under the lock, as all that it does
    private ForwarderWatch? _forwarders;   // also

    /// <summary>Gets or sets the verbosity that MSBuild asks for: not followed, every event is sent.</summary>
    public LoggerVerbosity Verbosity { get; set; } = LoggerVerbosity.Diagnostic;

    /// <summary>Gets or sets the parameters: see the class.</summary>
    public string? Parameters { get; set; }

    /// <summary>Connects to the collector, and begins to send. MSBuild calls it before anything is built.</summary>
    /// <param name="eventSource">The build's events.</param>
    /// <exception cref="ArgumentNullException"><paramref name="eventSource"/> is null.</exception>
    /// <exception cref="LoggerException"><see cref="BadParameterCode"/>; or, if <c>required=true</c>,
    /// <see cref="NoCollectorCode"/>.</exception>
    public void Initialize(IEventSource eventSource)
    {
        if (eventSource is null)
        {
            throw new ArgumentNullException(nameof(eventSource));
        }

        _settings = LoggerSettings.Read(Parameters);
        if (_settings.ConnectionFile is null && IsCollectedAlready())
        {
            return;
        }

        lock (_gate)
        {
            _feed = new EventFeed(_settings);
            _forwarders = _settings.Build is null ? null : new ForwarderWatch(Warn);
        }

        IncludeEvaluations(eventSource);
        _source = eventSource;
        eventSource.AnyEventRaised += Take;
        if (Connect() is { } problem)
        {
            Forget();
            string line = $"build events are not collected: {problem}";
            if (_settings.IsRequired)
            {
                throw new LoggerException($"Transport logger: {line}", null, NoCollectorCode, null);
            }

            // Nobody was named and nobody is there: nobody waits for these events.
            if (problem != EventStream.NoneRuns)
            {
                Warn(line);
            }
        }
    }

    /// <summary>Sends what is queued, within <c>wait</c>, and reports what was lost. MSBuild calls it after the build.</summary>
    /// <exception cref="LoggerException"><see cref="EventsLostCode"/>, if <c>required=true</c>.</exception>
    public void Shutdown()
    {
        if (Forget() is not { } feed)
        {
            return;
        }

        if (feed.MaskProblem is { } unmasked)
        {
            Warn(unmasked);
        }

        StreamReport report = feed.CloseAsync(_settings.Wait).GetAwaiter().GetResult();
        if (report.IsComplete && _forwarders?.Losses is null)
        {
            return;
        }

        string line = report.IsComplete ? _forwarders!.Losses! : $"{report} {_forwarders?.Losses}".TrimEnd();
        if (_settings.IsRequired)
        {
            throw new LoggerException($"Transport logger: {line}", null, EventsLostCode, null);
        }

        Warn(line);
    }

    /// <summary>A project's properties and items come once, with its evaluation; otherwise with each of its dozens of
    /// ProjectStarted.</summary>
    internal static void IncludeEvaluations(IEventSource source)
    {
        try
        {
            IncludeEvaluationsHere(source);
        }
        catch (TypeLoadException)
        {
            // An MSBuild of before 16.10 has no such way.
        }
    }

    /// <exception cref="TypeLoadException">MSBuild is too old; a method of its own, since one with a type that is missing cannot be
    /// compiled.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void IncludeEvaluationsHere(IEventSource source) =>
        (source as IEventSource4)?.IncludeEvaluationPropertiesAndItems();

    /// <summary>Whether <c>transport collect</c> has started this build with a logger of its own: one that is in a response file as well would
    /// send everything again. An MSBuild server has another command line than the build, and the build's environment.</summary>
    private static bool IsCollectedAlready() => Environment.GetEnvironmentVariable(CollectedVariable) == "1"
        || Array.Exists(Environment.GetCommandLineArgs(), word => word.IndexOf(nameof(TransportLogger) + ",", StringComparison.Ordinal) >= 0
        && word.IndexOf(";connect=", StringComparison.Ordinal) >= 0);

    /// <returns>Why there is no collector; null if there is one.</returns>
    private string? Connect()
    {
        if (EventStream.TryConnect(_settings, EventStream.MainPart, out string? problem) is { } stream)
        {
            lock (_gate)
            {
                _feed!.Start(stream);
            }
        }

        return problem;
    }

    private EventFeed? Forget()
    {
        if (_source is { } source)
        {
            source.AnyEventRaised -= Take;
            _source = null;
        }

        lock (_gate)
        {
            EventFeed? feed = _feed;
            _feed = null;
            return feed;
        }
    }

    private void Take(object sender, BuildEventArgs args)
    {
        lock (_gate)
        {
            if (_forwarders?.Takes(args) is not true)
            {
                _feed?.Take(args);
            }
        }
    }

    private static void Warn(string line)
    {
        try
        {
            Console.Error.WriteLine(TerminalText.Line($"Transport logger: warning: {line}"));
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException or UnauthorizedAccessException)
        {
            // Nobody reads stderr; the build goes on.
        }
    }
}
