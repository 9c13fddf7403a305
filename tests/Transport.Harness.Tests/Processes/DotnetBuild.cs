using System.Diagnostics;
using System.Threading.Tasks;
using Transport.Testing.Wires;

namespace BuildHarness.Tests.Processes;

/// <summary>The SDK's own command, for comparison.</summary>
internal static class DotnetBuild
{
    /// <summary>Runs <c>dotnet build</c> with plain output, and without servers that outlive it.</summary>
    /// <param name="words">The words after <c>build</c>.</param>
    /// <returns>Its lines.</returns>
    public static Task<string[]> RunAsync(params string[] words) => RunUnderAsync(null, words);

    /// <summary>Runs it by another program.</summary>
    /// <param name="by">The program, or null: by none.</param>
    /// <param name="words">The words after <c>build</c>.</param>
    /// <returns>Its lines.</returns>
    public static async Task<string[]> RunUnderAsync(string? by, params string[] words)
    {
        string[] all = ["build", .. words, "-tl:off", "-nologo"];
        var start = new ProcessStartInfo(by ?? Harness.DotNet, by is null ? all : [Harness.DotNet, .. all])
        {
            RedirectStandardOutput = true, UseShellExecute = false,
        };
        start.Environment["UseSharedCompilation"] = "false";
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["DOTNET_CLI_USE_MSBUILD_SERVER"] = "0";
        using Process build = Process.Start(start)!;
        string output = await build.StandardOutput.ReadToEndAsync().Within("dotnet build");
        await build.WaitForExitAsync().Within("dotnet build's end");
        return output.Split('\n');
    }
}
