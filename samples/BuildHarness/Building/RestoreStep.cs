using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Commands;
using Transport;

namespace BuildHarness.Building;

/// <summary><c>dotnet restore</c> in a process of its own.</summary>
/// <param name="options">What to restore.</param>
/// <param name="dotnet">The program.</param>
/// <param name="feed">Takes its diagnostics.</param>
/// <param name="say">Takes its other lines.</param>
internal sealed partial class RestoreStep(BuildOptions options, string dotnet, EventFeed feed, Action<string> say)
{
    private readonly List<string> _other = [];
    private readonly StringBuilder _pending = new();
    private string _pendingHead = string.Empty;
    private bool _isPendingError;
    private int _diagnostics;

    /// <summary>Restores.</summary>
    /// <returns>True if it succeeded.</returns>
    /// <exception cref="HarnessException">It cannot be started.</exception>
    public async Task<bool> RunAsync(CancellationToken cancellation)
    {
        string[] properties = [.. options.GlobalProperties().Select(p => MSBuildSwitches.Text(p.Key, p.Value))];
        var start = new ProcessStartOptions(dotnet, ["restore", System.IO.Path.GetFullPath(options.Path), "-nologo", "-v:q",
            "-clp:NoSummary",
            "-tl:off", .. properties]) { OwnProcessGroup = true };
        if (!ChildProcess.TryStart(start, Take, out ChildProcess? child, out StartError? error))
        {
            throw new HarnessException($"dotnet restore cannot be started: {error.Message}");
        }

        using CancellationTokenRegistration stop = cancellation.Register(() => child.Kill());
        ProcessExit end = await child.WaitForExitAsync().ConfigureAwait(false);
        Flush();
        if (child.OutputFault is { } fault)
        {
            feed.Diagnostic(
                "restore", $"{options.Path} : warning: the output of dotnet restore is incomplete: {fault.Message}", isError: false);
        }

        if (!end.IsSuccess && !cancellation.IsCancellationRequested)
        {
            if (_diagnostics == 0)
            {
                feed.Diagnostic("restore", $"{options.Path} : error: dotnet restore failed ({end}): {string.Join(' ', _other.TakeLast(3))}",
                    isError: true);
            }

            return false;
        }

        return end.IsSuccess;
    }

    [GeneratedRegex(@"^(?<head>.*?: *(?<category>error|warning)(?: [A-Za-z]+\d+)? *: )(?<more> {2,})?",
        RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Canonical();

    /// <summary>Hands on the diagnostic whose lines have all come.</summary>
    private void Flush()
    {
        if (_pending.Length > 0)
        {
            feed.Diagnostic("restore", _pending.ToString(), _isPendingError);
            _pending.Clear();
            _pendingHead = string.Empty;
        }
    }

    private void Take(OutputLine line)
    {
        string text = line.Text.TrimEnd();
        if (text.Length == 0)
        {
            return;
        }

        Match match = Canonical().Match(text);
        if (!match.Success)
        {
            Flush();
            _other.Add(text.Trim());
            say(text);
        }
        else if (match.Groups["more"].Success && match.Groups["head"].Value == _pendingHead)
        {
            // MSBuild repeats the head before each line of a message that has several.
            _pending.Append('\n').Append(text);
        }
        else
        {
            // Also one that stood there before: dotnet build counts each.
            Flush();
            _diagnostics++;
            _pendingHead = match.Groups["head"].Value;
            _isPendingError = match.Groups["category"].Value == "error";
            _pending.Append(text);
        }
    }
}
