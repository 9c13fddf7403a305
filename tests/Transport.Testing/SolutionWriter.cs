using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

namespace Transport.Testing;

/// <summary>
/// Writes a solution of class libraries in layers and an app that uses the topmost: each library refers to two or three of the layer below,
/// has ten files of twelve methods and gives two warnings. The same numbers give the same files.
/// </summary>
/// <param name="libraries">How many libraries, from 1.</param>
/// <param name="layers">How many layers they stand in, 1 to <paramref name="libraries"/>.</param>
internal sealed class SolutionWriter(int libraries, int layers)
{
    private const int Files = 10, Methods = 12;

    public const int WarningsPerLibrary = 2;

    private int PerLayer => (libraries + layers - 1) / layers;

    /// <summary>Writes everything below a folder that may exist already.</summary>
    /// <returns>The path of the solution file.</returns>
    public string Write(string folder)
    {
        Directory.CreateDirectory(folder);
        foreach (string name in (string[])["Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props"])
        {
            // So that no settings of a folder above reach these projects.
            File.WriteAllText(Path.Combine(folder, name), "<Project />\n");
        }

        File.WriteAllText(Path.Combine(folder, ".editorconfig"), "root = true\n");
        for (int i = 0; i < libraries; i++)
        {
            WriteLibrary(Path.Combine(folder, Name(i)), i);
        }

        WriteApp(Path.Combine(folder, "App"));
        string solution = Path.Combine(folder, "Generated.slnx");
        IEnumerable<string> names = Enumerable.Range(0, libraries).Select(Name).Append("App");
        File.WriteAllLines(solution, ["<Solution>", .. names.Select(n => $"  <Project Path=\"{n}/{n}.csproj\" />"), "</Solution>"]);
        return Path.GetFullPath(solution);
    }

    /// <summary>The libraries that a library refers to.</summary>
    public IReadOnlyList<int> References(int library)
    {
        int layer = library / PerLayer;
        return layer == 0 ? [] : [.. Enumerable.Range(0, 2 + (library % 2))
            .Select(k => ((layer - 1) * PerLayer) + ((library + k) % PerLayer)).Distinct().OrderBy(r => r)];
    }

    public static string Name(int library) => FormattableString.Invariant($"Lib{library + 1:00}");

    private void WriteLibrary(string folder, int library)
    {
        Directory.CreateDirectory(folder);
        string name = Name(library);
        File.WriteAllText(Path.Combine(folder, name + ".csproj"), Project(exe: false, References(library)));
        for (int file = 0; file < Files; file++)
        {
            File.WriteAllText(Path.Combine(folder, $"Class{file}.cs"), Class(name, library, file));
        }
    }

    private void WriteApp(string folder)
    {
        Directory.CreateDirectory(folder);
        int[] top = [.. Enumerable.Range(0, libraries).Where(i => i / PerLayer == (libraries - 1) / PerLayer)];
        File.WriteAllText(Path.Combine(folder, "App.csproj"), Project(exe: true, top));
        File.WriteAllText(
            Path.Combine(folder, "Program.cs"),
            $"System.Console.WriteLine({string.Join(" + ", top.Select(i => $"{Name(i)}.Class0.Method0(1)"))});\n");
    }

    private static string Project(bool exe, IReadOnlyList<int> references)
    {
        var text = new StringBuilder("<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n");
        if (exe)
        {
            text.Append("    <OutputType>Exe</OutputType>\n");
        }

        text.Append("    <TargetFramework>net10.0</TargetFramework>\n    <Nullable>enable</Nullable>\n    "
            + "<ImplicitUsings>enable</ImplicitUsings>\n  </PropertyGroup>\n");
        if (references.Count > 0)
        {
            text.Append("  <ItemGroup>\n");
            foreach (int reference in references)
            {
                text.Append($"    <ProjectReference Include=\"../{Name(reference)}/{Name(reference)}.csproj\" />\n");
            }

            text.Append("  </ItemGroup>\n");
        }

        return text.Append("</Project>\n").ToString();
    }

    private string Class(string name, int library, int file)
    {
        var text = new StringBuilder();
        text.Append(FormattableString.Invariant($"namespace {name};\n\npublic static class Class{file}\n{{\n"));
        if (file < WarningsPerLibrary)
        {
            text.Append("    private static int unused;\n\n");
        }

        string below = string.Concat(References(library).Select(r => FormattableString.Invariant($" + {Name(r)}.Class{file}.Method0(n)")));
        for (int method = 0; method < Methods; method++)
        {
            string more = method == 0 ? below : string.Empty;
            text.Append(FormattableString.Invariant($"    public static long Method{method}(long n)\n    {{\n"));
            text.Append("        var values = ").Append(FormattableString.Invariant($"Enumerable.Range({method + 1}, 20)"))
                .Append(FormattableString.Invariant($".Select(i => i * n + {library}).ToList();\n"));
            text.Append("        return values.Sum()").Append(more).Append(";\n    }\n");
        }

        return text.Append("}\n").ToString();
    }
}
