using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The command that <c>collect</c> starts, with the logger added. A command in two steps builds first and tests then.</summary>
internal static class BuildCommandLine
{
    private static readonly string[] Verbs = ["build", "msbuild", "restore", "pack", "publish", "test", "clean"];

    /// <summary>What the SDK sets for a terminal, and these set everywhere: VSTest's results as MSBuild's errors and messages, where its
    /// console alone would have them (Microsoft.TestPlatform.targets of the SDK). The user's own come behind them, and win.</summary>
    private static readonly string[] ResultsAsEvents =
        ["-p:VsTestUseMSBuildOutput=true", "-p:_MSBUILDTLENABLED=1", "-p:MSBUILDENSURESTDOUTFORTASKPROCESSES=0"];

    /// <summary>Options of <c>dotnet test</c> that its build needs too, with how many words follow.</summary>
    private static readonly Dictionary<string, int> SharedOptions = new(StringComparer.Ordinal)
    {
        ["-c"] = 1, ["--configuration"] = 1, ["-f"] = 1, ["--framework"] = 1, ["-r"] = 1, ["--runtime"] = 1, ["-a"] = 1, ["--arch"] = 1,
        ["--os"] = 1, ["-v"] = 1, ["--verbosity"] = 1, ["--no-restore"] = 0, ["--artifacts-path"] = 1,
    };

    /// <summary>Adds the logger.</summary>
    /// <param name="command">The words of the command: a path of dotnet or msbuild, and what follows.</param>
    /// <param name="logger">The logger: assembly and parameters.</param>
    /// <param name="folder">The current folder.</param>
    /// <returns>What to start, one after the other while each ends with 0.</returns>
    /// <exception cref="ToolException">The command builds nothing, or is none that this class knows.</exception>
    public static IReadOnlyList<string[]> With(string[] command, string logger, string folder)
    {
        string program = Path.GetFileNameWithoutExtension(command[0]);
        if (program.Equals("msbuild", StringComparison.OrdinalIgnoreCase))
        {
            return [[command[0], "-logger:" + logger, .. command[1..]]];
        }

        if (!program.Equals("dotnet", StringComparison.OrdinalIgnoreCase))
        {
            throw Refused($"{command[0]} is neither dotnet nor msbuild");
        }

        string verb = command.Length > 1 ? command[1] : string.Empty;
        if (!Verbs.Contains(verb, StringComparer.Ordinal))
        {
            throw Refused(verb.Length == 0 ? "dotnet alone builds nothing" : $"dotnet {verb} is no build");
        }

        string[] rest = command[2..];
        if (verb != "test")
        {
            return [With(command[0], verb, logger, rest)];
        }

        string[] own = [.. rest.TakeWhile(word => word != "--")];
        if (own.FirstOrDefault(IsAssembly) is { } built)
        {
            throw Refused($"{built} is built already, and testing it builds nothing");
        }

        return IsTestingPlatform(folder)
            ? [With(command[0], "build", logger, BuildOf(own)), [command[0], "test", "--no-build", .. rest]]
            : [With(command[0], verb, logger, [.. ResultsAsEvents, .. rest])];
    }

    /// <summary>Right behind the verb: behind <c>--</c>, or as the last word, it would be the tests'.</summary>
    private static string[] With(string program, string verb, string logger, string[] rest) => [program, verb, "-logger:" + logger, .. rest];

    private static bool IsAssembly(string word) => !word.StartsWith('-')
        && (word.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) || word.EndsWith(".exe", StringComparison.OrdinalIgnoreCase));

    /// <summary>The words of <c>dotnet test</c> of the Testing Platform that its build needs.</summary>
    private static string[] BuildOf(string[] test)
    {
        var build = new List<string>();
        for (int i = 0; i < test.Length; i++)
        {
            string word = test[i], name = word.Split('=', ':')[0];
            if (name is "--project" or "--solution")
            {
                build.Add(word.Contains('=', StringComparison.Ordinal) ? word[(word.IndexOf('=', StringComparison.Ordinal) + 1)..]
                    : i + 1 < test.Length ? test[++i] : string.Empty);
            }
            else if (name is "-p" or "--property" || word.StartsWith("/p:", StringComparison.OrdinalIgnoreCase))
            {
                build.Add(word);
            }
            else if (SharedOptions.TryGetValue(name, out int count))
            {
                build.Add(word);
                if (count == 1 && name == word && i + 1 < test.Length)
                {
                    build.Add(test[++i]);
                }
            }
        }

        return [.. build];
    }

    /// <summary>Whether <c>dotnet test</c> runs tests in the mode of Microsoft.Testing.Platform, which takes no MSBuild logger: the nearest
    /// global.json says so.</summary>
    private static bool IsTestingPlatform(string folder)
    {
        for (var one = new DirectoryInfo(folder); one is not null; one = one.Parent)
        {
            string path = Path.Combine(one.FullName, "global.json");
            if (File.Exists(path))
            {
                return NamesTestingPlatform(path);
            }
        }

        return false;
    }

    private static bool NamesTestingPlatform(string path)
    {
        try
        {
            using var json = JsonDocument.Parse(File.ReadAllBytes(path), new JsonDocumentOptions
            {
                CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true,
            });
            return json.RootElement.ValueKind == JsonValueKind.Object && json.RootElement.TryGetProperty("test", out JsonElement test)
                && test.ValueKind == JsonValueKind.Object && test.TryGetProperty("runner", out JsonElement runner)
                && runner.ValueKind == JsonValueKind.String
                && string.Equals(runner.GetString(), "Microsoft.Testing.Platform", StringComparison.OrdinalIgnoreCase);
        }
        catch (Exception e) when (e is JsonException or IOException or UnauthorizedAccessException)
        {
            return false;   // dotnet itself says what is wrong with it
        }
    }

    private static ToolException Refused(string why) => new(
        $"collect: {why}: expected dotnet {string.Join(", ", Verbs[..^1])} or {Verbs[^1]}, or msbuild, with its arguments.",
        ToolExitCodes.BadUsage);
}
