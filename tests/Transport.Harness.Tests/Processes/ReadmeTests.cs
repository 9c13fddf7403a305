using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Wires;

namespace BuildHarness.Tests.Processes;

/// <summary>The quick start of the README, line by line as printed, in a copy of the repository.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class ReadmeTests
{
    private static readonly string[] Copied = ["src", "eng"];

    [Test]
    public async Task The_quick_starts_lines_as_printed_build_and_run()
    {
        string[] readme = await File.ReadAllLinesAsync(Path.Combine(Repository.Root, "README.md"));
        string code = string.Join('\n', readme).Split("```csharp\n")[1].Split("```")[0];
        string[] halves = code.Split("// Worker/Program.cs");
        int first = Array.FindIndex(readme, line => line.StartsWith("    dotnet new console", StringComparison.Ordinal));
        string[] lines = [.. readme.Skip(first).TakeWhile(line => line.StartsWith("    ", StringComparison.Ordinal))
            .Select(line => line.Trim())];
        int paste = Array.FindIndex(lines, line => line.StartsWith("# paste", StringComparison.Ordinal));
        using var folder = new TemporaryFolder();
        CopyRepository(folder.Path);

        await RunAsync(folder.Path, lines[..paste]);
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "Main", "Program.cs"), halves[0]);
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "Worker", "Program.cs"), "// Worker/Program.cs" + halves[1]);
        string output = await RunAsync(folder.Path, lines[(paste + 1)..]);

        foreach (int i in Enumerable.Range(1, 3))
        {
            Assert.That(output, Does.Contain($"Compiled File{i}.cs in {40 * i} ms"));
        }
    }

    private static void CopyRepository(string to)
    {
        foreach (string file in Directory.EnumerateFiles(Repository.Root).Where(f =>
            Path.GetExtension(f) is ".props" or ".targets" or ".json" || Path.GetFileName(f) == ".editorconfig"))
        {
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        }

        foreach (string file in Copied.SelectMany(folder => Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*",
            SearchOption.AllDirectories)))
        {
            string name = Path.GetRelativePath(Repository.Root, file);
            if (!name.Split('/').Any(part => part is "bin" or "obj"))
            {
                Directory.CreateDirectory(Path.GetDirectoryName(Path.Combine(to, name))!);
                File.Copy(file, Path.Combine(to, name));
            }
        }
    }

    private static async Task<string> RunAsync(string folder, string[] lines)
    {
        var start = new ProcessStartInfo("/bin/bash", ["-e", "-c", string.Join('\n', lines)])
        {
            WorkingDirectory = folder, RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false,
        };
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["DOTNET_CLI_USE_MSBUILD_SERVER"] = "0";
        start.Environment["UseSharedCompilation"] = "false";
        using Process shell = Process.Start(start)!;
        Task<string> errors = shell.StandardError.ReadToEndAsync();
        string output = await shell.StandardOutput.ReadToEndAsync().WaitAsync(TimeSpan.FromMinutes(6));
        await shell.WaitForExitAsync().Within("the shell's end");
        Assert.That(shell.ExitCode, Is.Zero, output + await errors);
        return output;
    }
}
