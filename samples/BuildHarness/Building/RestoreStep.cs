using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Commands;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Building;

/// <summary><c>dotnet restore</c> in a process of its own, whose events come over a link: what is counted are diagnostics, not lines of
/// text. Where the system allows no socket they are lines of text all the same, and MSBuild gets no nodes, which would need one.</summary>
/// <param name="options">What to restore.</param>
/// <param name="dotnet">The program.</param>
/// <param name="feed">Takes its diagnostics.</param>
/// <param name="say">Takes lines that no logger wrote.</param>
internal sealed partial class RestoreStep(BuildOptions options, string dotnet, EventFeed feed, Action<string> say)
{
    private const string Name = "restore";

    /// <summary>How many lines of a failure are repeated: its cause stands first, and frames of a stack last.</summary>
    private const int CauseLines = 3;

    private readonly Lock _gate = new();
    private readonly List<string> _other = [];   // under the lock, as the next
    private int _errors;

    /// <summary>Restores.</summary>
    /// <returns>True if it succeeded.</returns>
    /// <exception cref="HarnessException">It cannot be started.</exception>
    public async Task<bool> RunAsync(CancellationToken cancellation)
    {
        // A framework is that of what is built; packages are restored for all.
        string[] switches = [.. options.GlobalProperties().Where(p => !p.Key.Equals("TargetFramework", StringComparison.OrdinalIgnoreCase))
            .Select(p => MSBuildSwitches.Text(p.Key, p.Value)), .. options.Severities.Switches];
        await using BuildCollector? collector = Collect();
        string[] loggers = collector is null ? ["-m:1", "-clp:NoSummary", "-verbosity:minimal"] : ["-noConsoleLogger", LoggerOf(collector)];
        string[] words = ["restore", Path.GetFullPath(options.Path), "-nologo", "-tl:off", .. loggers, .. switches];
        var start = new ProcessStartOptions(dotnet, words)
        {
            OwnProcessGroup = true, Output = collector is null ? Read : Take,
        };
        ChildProcess child = Start(start);

        ProcessExit end;
        using (cancellation.Register(() => child.Kill()))
        {
            end = await child.WaitForExitAsync().ConfigureAwait(false);
        }

        IReadOnlyList<CollectedBuild>? builds = collector is null ? null : await collector.CloseAsync().ConfigureAwait(false);
        if (cancellation.IsCancellationRequested)
        {
            return end.IsSuccess;
        }

        if (builds is not null && LossOf(builds) is { } how)
        {
            feed.Diagnostic(Name, $"{options.Path} : warning: not all that dotnet restore reports is known: {how}", isError: false);
        }

        if (!end.IsSuccess && Errors() == 0)
        {
            feed.Diagnostic(Name, $"{options.Path} : error: dotnet restore failed ({end}): {Cause()}", isError: true);
        }

        return end.IsSuccess;
    }

    /// <summary>A diagnostic as MSBuild's console logger writes it.</summary>
    [GeneratedRegex(@"^\s*\S.*?: ([\w ]+ )?(?<kind>error|warning)( \w+)?\s*: .*")]
    private static partial Regex Diagnostic();

    /// <returns>Null: the system allows no socket.</returns>
    private BuildCollector? Collect()
    {
        try
        {
            return BuildCollector.Start(
                _ => new PacketRouter().On<BuildEvent>(Take).OnUnknown(static _ => { }),
                new BuildCollectorOptions { IsForOneCommand = true, Report = line => say($"restore: {line}") });
        }
        catch (TransportException e) when (e.Code == "not-permitted")
        {
            return null;
        }
        catch (Exception e) when (e is TransportException or IOException or UnauthorizedAccessException)
        {
            throw new HarnessException($"dotnet restore cannot be listened to: {e.Message}");
        }
    }

    private static string? LossOf(IReadOnlyList<CollectedBuild> builds) => builds.Count == 0 ? "it had no link"
        : builds.Any(one => one.End is not { IsClean: true, Receipt: { PeerDropped: 0, PeerRefused: 0 } }) ? builds[^1].End.ToString()
        : null;

    private static string LoggerOf(BuildCollector collector)
    {
        string assembly = Path.Combine(AppContext.BaseDirectory, typeof(TransportLogger).Assembly.GetName().Name + ".dll");
        return $"-logger:{nameof(TransportLogger)},{assembly};connect={collector.ConnectionFile};mask=false;wait=30";
    }

    private void Take(BuildEvent one)
    {
        Count(BuildEventText.IsError(one.Kind));
        feed.Step(Name, one);
    }

    /// <summary>A line that no logger wrote: MSBuild's own, about its command line say.</summary>
    private void Take(OutputLine line)
    {
        string text = line.Text.Trim();
        if (text.Length > 0)
        {
            lock (_gate)
            {
                if (_other.Count < CauseLines && !text.StartsWith("at ", StringComparison.Ordinal))
                {
                    _other.Add(text);
                }
            }

            say(text);
        }
    }

    /// <summary>A line of MSBuild's console logger.</summary>
    private void Read(OutputLine line)
    {
        if (Diagnostic().Match(line.Text) is { Success: true } found)
        {
            bool isError = found.Groups["kind"].Value == "error";
            Count(isError);
            feed.Diagnostic(Name, line.Text.Trim(), isError);
        }
        else if (line.IsError)
        {
            Take(line);   // what it says of its doings elsewhere is of no use
        }
    }

    private void Count(bool isError)
    {
        lock (_gate)
        {
            _errors += isError ? 1 : 0;
        }
    }

    private int Errors()
    {
        lock (_gate)
        {
            return _errors;
        }
    }

    private string Cause()
    {
        lock (_gate)
        {
            return _other.Count == 0 ? "it has said nothing" : string.Join(' ', _other);
        }
    }

    private static ChildProcess Start(ProcessStartOptions start)
    {
        try
        {
            return ChildProcess.Start(start);
        }
        catch (TransportException e) when (e.Fault == TransportFault.StartFailed)
        {
            throw new HarnessException($"dotnet restore cannot be started: {e.Message}");
        }
    }
}
