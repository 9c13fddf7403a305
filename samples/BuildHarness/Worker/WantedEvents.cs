using System;
using System.Threading;
using Microsoft.Build.Framework;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Worker;

/// <summary>Which of a build's events the main node takes: its display, log and journal together, as the link's level says at any moment.
/// What nobody takes is counted where it is raised, and neither read nor sent. Safe from any thread.</summary>
/// <param name="rules">The link's rules at this moment.</param>
internal sealed class WantedEvents(Func<LevelRules> rules)
{
    /// <summary>The category of build events among the levels of a link.</summary>
    private const string Category = "BuildEvent";

    private Seen _seen = new(new LevelRules(PacketLevel.Trace), BuildVerbosity.Diagnostic);   // replaced as a whole, by any thread
    private long _leftOut;   // by Interlocked

    /// <summary>Gets how many events nobody took.</summary>
    public long LeftOut => Interlocked.Read(ref _leftOut);

    /// <summary>The level of a link over which events of a verbosity come, and errors, warnings and the projects that they belong
    /// to.</summary>
    public static PacketLevel LevelOf(BuildVerbosity verbosity) => verbosity switch
    {
        BuildVerbosity.Diagnostic => PacketLevel.Trace,
        BuildVerbosity.Detailed => PacketLevel.Debug,
        BuildVerbosity.Normal => PacketLevel.Information,
        _ => PacketLevel.Warning,
    };

    /// <summary>Whether an event is taken; one that is not is counted.</summary>
    public bool Takes(BuildEventArgs args)
    {
        BuildVerbosity verbosity = Verbosity();
        if (verbosity == BuildVerbosity.Diagnostic || args is BuildErrorEventArgs or BuildWarningEventArgs or ProjectStartedEventArgs
            || BuildEventReader.LevelOf(args) <= verbosity)
        {
            return true;
        }

        Interlocked.Increment(ref _leftOut);
        return false;
    }

    private BuildVerbosity Verbosity()
    {
        LevelRules now = rules();
        Seen seen = Volatile.Read(ref _seen);
        if (ReferenceEquals(seen.Rules, now))
        {
            return seen.Verbosity;
        }

        seen = new Seen(now, now.Of(Category) switch
        {
            PacketLevel.Trace => BuildVerbosity.Diagnostic,
            PacketLevel.Debug => BuildVerbosity.Detailed,
            PacketLevel.Information => BuildVerbosity.Normal,
            _ => BuildVerbosity.Minimal,
        });
        Volatile.Write(ref _seen, seen);
        return seen.Verbosity;
    }

    private sealed record Seen(LevelRules Rules, BuildVerbosity Verbosity);
}
