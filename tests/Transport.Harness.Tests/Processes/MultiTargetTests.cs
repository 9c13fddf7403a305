using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary>
/// A solution whose projects are for several frameworks, with warnings of packages, analyzers, the compiler and a target of its own.
/// </summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed partial class MultiTargetTests
{
    private const string Frameworks = "<TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks>";

    /// <summary>
    /// A package of this repository's own, in a version that does not exist: NuGet takes the next one and warns (NU1603) for each framework
    /// of each project that gets it.
    /// </summary>
    private const string Package = "<PackageReference Include=\"Mono.Posix.NETStandard\" Version=\"0.9.9\" />";

    [Test]
    public async Task A_solution_for_several_frameworks_has_the_warnings_of_dotnet_build_line_by_line()
    {
        Nightly.Only("the same solution built twice, once by dotnet build");
        using var folder = new TemporaryFolder();
        string solution = Write(folder);
        string[] expected = await DotnetBuild.RunAsync(solution, "-m:2");
        if (!Array.Exists(expected, line => line.Contains("warning NU1603", StringComparison.Ordinal)))
        {
            Assert.Ignore("The package feed gives no NU1603. dotnet build said:\n" + string.Join('\n', expected));
        }

        string[] folders = Directory.GetDirectories(folder.Path, "*", SearchOption.AllDirectories);
        foreach (string made in folders.Where(d => Path.GetFileName(d) is "bin" or "obj"))
        {
            Directory.Delete(made, recursive: true);
        }

        using Harness run = await Harness.RunAsync("build", solution, "--nodes", "2", "--summary", "{summary}");

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        string[] warnings = Warnings(expected);
        Assert.That(warnings.Select(Code).Distinct(), Is.SupersetOf(new[] { "NU1603", "CS0168", "CA1822", "X1" }), "each kind is there");
        Assert.That(Warnings(run.Output), Is.EqualTo(warnings));
        Assert.That(run.Summary().GetProperty("warnings").GetInt32(), Is.EqualTo(Count(expected, "Warning")));
        Assert.That(run.Summary().GetProperty("errors").GetInt32(), Is.EqualTo(Count(expected, "Error")).And.Zero);
    }

    /// <summary>A, that B and C refer to, all for two frameworks; D for one, with warnings of its project file.</summary>
    private static string Write(TemporaryFolder folder)
    {
        foreach (string name in (string[])["Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props"])
        {
            folder.File(name, "<Project />");
        }

        folder.File(".editorconfig", "root = true\n[*.cs]\ndotnet_diagnostic.CA1822.severity = warning\n");
        Project("A", Frameworks, Package);
        Project("B", Frameworks, Reference("A"));
        Project("C", Frameworks, Reference("A"));
        const string Own = "<Target Name=\"Own\" BeforeTargets=\"CoreCompile\"><Warning Code=\"X1\" Text=\"own\" /></Target>";
        Project("D", "<TargetFramework>net10.0</TargetFramework>", Reference("B") + Reference("C") + Package, Own);
        string projects = string.Concat("ABCD".Select(name => $"<Project Path=\"{name}/{name}.csproj\" />"));
        return folder.File("All.slnx", $"<Solution>{projects}</Solution>");

        void Project(string name, string framework, string items, string more = "")
        {
            string content = $"<PropertyGroup>{framework}</PropertyGroup><ItemGroup>{items}</ItemGroup>{more}";
            folder.File($"{name}/{name}.csproj", $"<Project Sdk=\"Microsoft.NET.Sdk\">{content}</Project>");
            folder.File($"{name}/{name}.cs", $$"""
                public class {{name}}
                {
                    public int Both() { int unused; return 1; }
                #if NETSTANDARD
                    public int Old() { int gone; return 2; }
                #endif
                }
                """);
        }

        static string Reference(string name) => $"<ProjectReference Include=\"../{name}/{name}.csproj\" />";
    }

    /// <summary>
    /// The lines of warnings before the summary, which repeats them, in an order that the number of workers does not change.
    /// </summary>
    private static string[] Warnings(IEnumerable<string> lines) => [.. lines
        .TakeWhile(line => !line.StartsWith("Build succeeded", StringComparison.Ordinal))
        .Where(line => Warning().IsMatch(line))
        .Select(line => line.Trim())
        .Order(StringComparer.Ordinal)];

    private static string Code(string line) => Warning().Match(line).Groups["code"].Value;

    private static int Count(IEnumerable<string> lines, string what)
    {
        string line = lines.Single(line => line.EndsWith($" {what}(s)", StringComparison.Ordinal));
        return int.Parse(line.Trim().Split(' ')[0], CultureInfo.InvariantCulture);
    }

    [GeneratedRegex(@": warning (?<code>\w+): ", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Warning();
}
