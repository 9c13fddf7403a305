using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

namespace BuildHarness.Commands;

/// <summary>The switches of MSBuild that <c>build</c> takes, from the command line or a response file, read as MSBuild reads them. One
/// thread.</summary>
internal sealed partial class MSBuildSwitches
{
    /// <summary>Switches of <c>dotnet build</c> that have another name here.</summary>
    private static readonly Dictionary<string, string> Instead = new(StringComparer.OrdinalIgnoreCase)
    {
        ["f"] = "use -p:TargetFramework=NAME",
        ["framework"] = "use -p:TargetFramework=NAME",
        ["o"] = "use --collect-outputs DIR, which copies the outputs of all projects, or -p:OutDir=DIR",
        ["output"] = "use --collect-outputs DIR, which copies the outputs of all projects, or -p:OutDir=DIR",
        ["r"] = "use -p:RuntimeIdentifier=RID; packages are restored without asking (--no-restore)",
        ["runtime"] = "use -p:RuntimeIdentifier=RID",
        ["no-incremental"] = "use -t:Rebuild",
        ["bl"] = "use --journal DIR, which keeps every event, also of a build that is killed",
        ["binarylogger"] = "use --journal DIR, which keeps every event, also of a build that is killed",
        ["maxcpucount"] = "use --nodes N",
        ["noautoresponse"] = "use an empty Directory.Build.rsp beside the solution",
    };

    private readonly List<KeyValuePair<string, string>> _properties = [];
    private readonly List<string> _targets = [];

    /// <summary>Gets the global properties in their order; of one that is given twice the last counts.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Properties => _properties;

    /// <summary>Gets the targets in their order.</summary>
    public IReadOnlyList<string> Targets => _targets;

    /// <summary>Gets of which warnings MSBuild makes errors or messages.</summary>
    public WarningSeverities Severities { get; private set; } = new();

    /// <summary>Takes a word if it is one of these switches.</summary>
    /// <param name="word">A word of a command line.</param>
    /// <param name="mistake">What is wrong with the switch, or null.</param>
    /// <returns>False if it is another word.</returns>
    public bool TryTake(string word, out string? mistake)
    {
        mistake = null;
        Match match = Form().Match(word);
        string value = match.Groups["value"].Value;
        switch (match.Groups["name"].Value.ToLowerInvariant())
        {
            case "p" or "property" when match.Groups["value"].Success:
                mistake = AddProperties(word, value);
                return true;
            case "t" or "target" when match.Groups["value"].Success:
                mistake = AddTargets(word, value);
                return true;
            case "warnaserror" or "err":
                Severities = Severities.With(new WarningSeverities { AsErrors = value.Length == 0 ? [] : Split(value) });
                return true;
            case "warnnotaserror" or "noerr" when value.Length > 0:
                Severities = Severities.With(new WarningSeverities { NotAsErrors = Split(value) });
                return true;
            case "nowarn" or "warnasmessage" when value.Length > 0:
                Severities = Severities.With(new WarningSeverities { AsMessages = Split(value) });
                return true;
            default:
                return false;
        }
    }

    /// <summary>Reports what to do instead of a switch that <c>dotnet build</c> has and this command has not.</summary>
    /// <returns>The sentence, or null if the word is no such switch.</returns>
    public static string? InsteadOf(string word) =>
        Form().Match(word) is { Success: true } match && Instead.TryGetValue(match.Groups["name"].Value, out string? hint)
            ? $"build: {match.Groups["switch"].Value} is a switch of dotnet build: {hint}." : null;

    /// <summary>Adds <c>NAME=VALUE;NAME=VALUE</c>.</summary>
    /// <returns>The mistake, or null.</returns>
    public string? AddProperties(string word, string value)
    {
        foreach (string part in Split(value))
        {
            int equals = part.IndexOf('=', StringComparison.Ordinal);
            if (equals < 1)
            {
                return part == value ? $"{word}: expected -p:NAME=VALUE."
                    : $"{word}: \"{part}\" is no NAME=VALUE; a ; or , within a value needs quotes: -p:NAME=\"A;B\".";
            }

            string name = part[..equals];
            if (!Name().IsMatch(name))
            {
                return $"{word}: \"{name}\" is no name of a property.";
            }

            _properties.Add(new(name, part[(equals + 1)..]));
        }

        return null;
    }

    /// <summary>Writes a property as a switch that MSBuild reads back as the same value.</summary>
    public static string Text(string name, string value)
    {
        string escaped = value.Replace("\"", "%22", StringComparison.Ordinal);
        if (escaped.AsSpan().IndexOfAny(';', ',') < 0)
        {
            return $"-p:{name}={escaped}";
        }

        // A backslash before the closing quote would make it a part of the value.
        return escaped.EndsWith('\\') ? $"-p:{name}=\"{escaped[..^1]}%5C\"" : $"-p:{name}=\"{escaped}\"";
    }

    /// <summary>Splits at semicolons and commas outside of quotes, and takes the quotes away; a quote behind a backslash is a part of the
    /// value. Empty parts do not count.</summary>
    private static List<string> Split(string value)
    {
        var parts = new List<string>();
        var part = new StringBuilder();
        bool isQuoted = false;
        for (int i = 0; i < value.Length; i++)
        {
            char one = value[i];
            if (one == '\\' && i + 1 < value.Length && value[i + 1] == '"')
            {
                part.Append(value[++i]);
            }
            else if (one == '"')
            {
                // One without a partner quotes nothing.
                isQuoted = !isQuoted && value.IndexOf('"', i + 1) > 0;
            }
            else if (one is ';' or ',' && !isQuoted)
            {
                parts.Add(part.ToString());
                part.Clear();
            }
            else
            {
                part.Append(one);
            }
        }

        parts.Add(part.ToString());
        parts.RemoveAll(one => one.Length == 0);
        return parts.Count == 0 ? [value] : parts;
    }

    private string? AddTargets(string word, string value)
    {
        foreach (string part in Split(value))
        {
            if (!Target().IsMatch(part))
            {
                return $"{word}: expected -t:NAME, such as Build, Rebuild, Clean, Pack or Publish, or of a solution -t:PROJECT or "
                    + "-t:PROJECT:NAME.";
            }

            _targets.Add(part);
        }

        return null;
    }

    [GeneratedRegex("^(?<switch>(?:--?|/)(?<name>[A-Za-z-]+))(?::(?<value>.*))?$",
        RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant | RegexOptions.Singleline, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Form();

    [GeneratedRegex(@"^[A-Za-z_][\w.-]*$", RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Name();

    [GeneratedRegex(@"^\w[\w.\\/:-]*$", RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Target();
}
