using System;
using System.Globalization;
using System.IO;
using System.Linq;
using BuildHarness.Events;

namespace BuildHarness.Display;

/// <summary>An event as a person reads it.</summary>
internal static class EventText
{
    /// <summary>MSBuild's importances, largest first.</summary>
    private const int High = 0, NormalImportance = 1;

    public static bool IsError(EventKind kind) => kind is EventKind.Error or EventKind.ExtendedError;

    public static bool IsWarning(EventKind kind) => kind is EventKind.Warning or EventKind.ExtendedWarning;

    /// <summary>The least verbosity at which an event is shown.</summary>
    public static Verbosity LevelOf(BuildEvent one) => one.Kind switch
    {
        EventKind.Error or EventKind.ExtendedError or EventKind.Warning or EventKind.ExtendedWarning => Verbosity.Quiet,
        EventKind.CriticalMessage or EventKind.ExtendedCriticalMessage => Verbosity.Minimal,
        EventKind.Message or EventKind.ExtendedMessage => one.Number("Importance") switch
        {
            High => Verbosity.Normal,
            NormalImportance => Verbosity.Detailed,
            _ => Verbosity.Diagnostic,
        },
        EventKind.TargetStarted or EventKind.TaskStarted or EventKind.TaskCommandLine or EventKind.ProjectStarted => Verbosity.Detailed,
        _ => Verbosity.Diagnostic,
    };

    /// <summary>The least verbosity at which any event of a kind is shown: those below need not even be rebuilt.</summary>
    public static Verbosity LevelOf(EventKind kind) => kind switch
    {
        EventKind.Error or EventKind.ExtendedError or EventKind.Warning or EventKind.ExtendedWarning => Verbosity.Quiet,
        EventKind.CriticalMessage or EventKind.ExtendedCriticalMessage => Verbosity.Minimal,
        EventKind.Message or EventKind.ExtendedMessage => Verbosity.Normal,
        EventKind.TargetStarted or EventKind.TaskStarted or EventKind.TaskCommandLine or EventKind.ProjectStarted => Verbosity.Detailed,
        _ => Verbosity.Diagnostic,
    };

    /// <summary>One event as text, possibly of several lines: a diagnostic in canonical form, anything else as its message.</summary>
    /// <param name="one">The event.</param>
    /// <param name="framework">The framework of its project, if that has several; else empty.</param>
    public static string Of(BuildEvent one, string framework = "") =>
        IsError(one.Kind) ? Canonical(one, "error", framework)
        : IsWarning(one.Kind) ? Canonical(one, "warning", framework)
        : one.Kind == EventKind.TaskParameter ? TaskParameterText.Of(one)
        : one.Message ?? one.Kind.ToString();

    /// <summary>
    /// <c>path(line,col): warning CODE: text [project]</c> or <c>[project::TargetFramework=net10.0]</c>, the form that editors and build
    /// servers know. As with
    /// <c>dotnet build</c>, a diagnostic of the project file itself does not repeat it: <c>[TargetFramework=net10.0]</c> or nothing.
    /// </summary>
    private static string Canonical(BuildEvent one, string category, string framework)
    {
        string subcategory = one.Text("Subcategory") is { Length: > 0 } sub ? sub + " " : string.Empty;
        string code = one.Text("Code") is { Length: > 0 } known ? " " + known : string.Empty;
        string file = one.Text("ProjectFile") ?? string.Empty;
        string own = file == one.Text("File") ? string.Empty : file;
        string[] parts = [own, framework.Length > 0 ? "TargetFramework=" + framework : string.Empty];
        string project = string.Join("::", parts.Where(part => part.Length > 0));
        project = project.Length > 0 ? $" [{project}]" : string.Empty;
        return $"{Origin(one)}: {subcategory}{category}{code}: {one.Message}{project}";
    }

    private static string Origin(BuildEvent one)
    {
        string? file = one.Text("File");
        if (string.IsNullOrEmpty(file))
        {
            return "MSBUILD ";
        }

        if (!Path.IsPathRooted(file) && one.Text("ProjectFile") is { Length: > 0 } project && file != Path.GetFileName(project))
        {
            file = Path.Combine(Path.GetDirectoryName(project)!, file);
        }

        int line = one.Number("LineNumber"), column = one.Number("ColumnNumber"), endLine = one.Number("EndLineNumber"),
            endColumn = one.Number("EndColumnNumber");
        FormattableString place = (line, column, endLine, endColumn) switch
        {
            (0, _, _, _) => $"{file} ",
            (_, 0, 0, _) => $"{file}({line})",
            (_, 0, _, _) => $"{file}({line}-{endLine})",
            (_, _, 0, 0) => $"{file}({line},{column})",
            (_, _, 0, _) => $"{file}({line},{column}-{endColumn})",
            (_, _, _, 0) => $"{file}({line}-{endLine},{column})",
            _ => $"{file}({line},{column},{endLine},{endColumn})",
        };
        return place.ToString(CultureInfo.InvariantCulture);
    }
}
