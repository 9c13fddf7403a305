using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary><c>export --github</c> and <c>--azure</c>: diagnostics as the lines by which these services mark them in the files of a
/// change, a group for each project. Nothing that a build wrote can be a command of its own: it stands in an escaped value, in which what
/// an agent looks for anywhere in a line (<c>##vso[</c>, <c>##[</c>) is broken by a space.</summary>
internal static class Annotations
{
    /// <summary>Returns the commands of a workflow of GitHub Actions
    /// (docs.github.com/actions/reference/workflow-commands-for-github-actions).</summary>
    /// <param name="model">The build.</param>
    /// <param name="root">The folder that paths are relative to.</param>
    public static IEnumerable<string> GitHub(BuildModel model, string root)
    {
        foreach (IGrouping<string, Diagnostic> project in ByProject(model))
        {
            yield return $"::group::{GitHubText(Title(project, root))}";
            foreach (Diagnostic one in project)
            {
                var values = new List<string>();
                Add(values, "file", GitHubValue(Relative(one.File, root)));
                Add(values, "line", Number(one.Line));
                Add(values, "endLine", Number(one.EndLine));
                Add(values, "col", Number(one.Column));
                Add(values, "title", GitHubValue(one.Code));
                string separator = values.Count > 0 ? " " : string.Empty;
                yield return $"::{(one.IsError ? "error" : "warning")}{separator}{string.Join(',', values)}::{GitHubText(Text(one))}";
            }

            yield return "::endgroup::";
        }
    }

    /// <summary>Returns the logging commands of Azure Pipelines
    /// (learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands).</summary>
    /// <param name="model">The build.</param>
    /// <param name="root">The folder that paths are relative to.</param>
    public static IEnumerable<string> Azure(BuildModel model, string root)
    {
        foreach (IGrouping<string, Diagnostic> project in ByProject(model))
        {
            yield return $"##[group]{AzureText(Title(project, root))}";
            foreach (Diagnostic one in project)
            {
                var values = new List<string> { one.IsError ? "type=error" : "type=warning" };
                Add(values, "sourcepath", AzureValue(Relative(one.File, root)));
                Add(values, "linenumber", Number(one.Line));
                Add(values, "columnnumber", Number(one.Column));
                Add(values, "code", AzureValue(one.Code));
                yield return $"##vso[task.logissue {string.Join(';', values)}]{AzureText(Text(one))}";
            }

            yield return "##[endgroup]";
        }
    }

    private static IEnumerable<IGrouping<string, Diagnostic>> ByProject(BuildModel model) =>
        model.Diagnostics.GroupBy(one => one.Project, StringComparer.Ordinal);

    private static string Title(IGrouping<string, Diagnostic> project, string root)
    {
        int errors = project.Count(one => one.IsError), warnings = project.Count() - errors;
        string name = project.Key.Length > 0 ? Relative(project.Key, root) : "the build";
        return $"{name}: {Counted.Of(errors, "error")}, {Counted.Of(warnings, "warning")}";
    }

    private static string Text(Diagnostic one) => one.Code.Length > 0 ? $"{one.Code}: {one.Message}" : one.Message;

    private static string Relative(string path, string root)
    {
        if (!Path.IsPathRooted(path) || path.Contains('\0', StringComparison.Ordinal)) // no path has that, but what a journal says may
        {
            return path;
        }

        string relative = Path.GetRelativePath(root, path);
        return relative.StartsWith("..", StringComparison.Ordinal) ? path : relative;
    }

    private static string Number(int number) => number > 0 ? number.ToString(CultureInfo.InvariantCulture) : string.Empty;

    private static void Add(List<string> values, string name, string value)
    {
        if (value.Length > 0)
        {
            values.Add($"{name}={value}");
        }
    }

    private static string GitHubText(string text) => Escaped(text, percent: "%25");

    private static string GitHubValue(string text) => GitHubText(text).Replace(":", "%3A", StringComparison.Ordinal)
        .Replace(",", "%2C", StringComparison.Ordinal);

    private static string AzureText(string text) => Escaped(text, percent: "%AZP25");

    private static string AzureValue(string text) => AzureText(text).Replace(";", "%3B", StringComparison.Ordinal)
        .Replace("]", "%5D", StringComparison.Ordinal);

    private static string Escaped(string text, string percent) => TerminalText.Escape(text.Replace("%", percent, StringComparison.Ordinal)
        .Replace("\r", "%0D", StringComparison.Ordinal).Replace("\n", "%0A", StringComparison.Ordinal)
        .Replace("##vso[", "# #vso[", StringComparison.OrdinalIgnoreCase).Replace("##[", "# #[", StringComparison.Ordinal));
}
