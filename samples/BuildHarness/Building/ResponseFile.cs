using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using BuildHarness.Commands;

namespace BuildHarness.Building;

/// <summary><c>Directory.Build.rsp</c>: switches that MSBuild takes from the nearest such file at or above what it builds.</summary>
internal static partial class ResponseFile
{
    private const string Name = "Directory.Build.rsp";

    /// <summary>Adds what the nearest response file says to what the command line says, which wins.</summary>
    /// <param name="options">What the command line says.</param>
    /// <param name="say">Takes a line if the file has switches that mean nothing here.</param>
    /// <exception cref="HarnessException">The file cannot be read, or a switch is wrong.</exception>
    public static BuildOptions AddTo(BuildOptions options, Action<string> say)
    {
        if (Find(Path.GetDirectoryName(Path.GetFullPath(options.Path))) is not { } file)
        {
            return options;
        }

        var switches = new MSBuildSwitches();
        var ignored = new List<string>();
        try
        {
            foreach (string word in Words(file))
            {
                if (!switches.TryTake(word, out string? mistake))
                {
                    ignored.Add(word);
                }
                else if (mistake is not null)
                {
                    throw new HarnessException($"{file}: {mistake}", ExitCodes.BadUsage);
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new HarnessException($"{file} cannot be read: {e.Message}", ExitCodes.BadUsage);
        }

        if (ignored.Count > 0)
        {
            say($"{file}: these switches have no effect here: {string.Join(' ', ignored)}");
        }

        return options with
        {
            Properties = [.. switches.Properties, .. options.Properties],
            Targets = options.Targets.Count > 0 ? options.Targets : switches.Targets,
            Severities = switches.Severities.With(options.Severities),
        };
    }

    private static string? Find(string? folder)
    {
        for (; folder is not null; folder = Path.GetDirectoryName(folder))
        {
            string file = Path.Combine(folder, Name);
            if (File.Exists(file))
            {
                return file;
            }
        }

        return null;
    }

    private static IEnumerable<string> Words(string file)
    {
        string folder = Path.GetDirectoryName(file)! + Path.DirectorySeparatorChar;
        foreach (string line in File.ReadAllLines(file).Select(line => line.Trim()).Where(line => line.Length > 0 && line[0] != '#'))
        {
            string text = Environment.ExpandEnvironmentVariables(
                line.Replace("%MSBuildThisFileDirectory%", folder, StringComparison.OrdinalIgnoreCase));
            foreach (Match word in Word().Matches(text))
            {
                yield return word.Value is ['"', .. var inner, '"'] && !inner.Contains('"', StringComparison.Ordinal) ? inner : word.Value;
            }
        }
    }

    [GeneratedRegex("""(?:[^\s"]|"[^"]*(?:"|$))+""", RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Word();
}
