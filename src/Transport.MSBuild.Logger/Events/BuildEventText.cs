using System;
using System.Globalization;
using System.Linq;

namespace Transport.MSBuild;

/// <summary>Build events as a person reads them. Safe from any thread.</summary>
public static class BuildEventText
{
    /// <summary>MSBuild's importances, largest first.</summary>
    private const int High = 0, NormalImportance = 1;

    /// <summary>Whether events of a kind are errors.</summary>
    /// <param name="kind">The kind.</param>
    public static bool IsError(BuildEventKind kind) => kind is BuildEventKind.Error or BuildEventKind.ExtendedError;

    /// <summary>Whether events of a kind are warnings.</summary>
    /// <param name="kind">The kind.</param>
    public static bool IsWarning(BuildEventKind kind) => kind is BuildEventKind.Warning or BuildEventKind.ExtendedWarning;

    /// <summary>Returns the least verbosity that shows an event.</summary>
    /// <param name="one">The event.</param>
    /// <exception cref="ArgumentNullException"><paramref name="one"/> is null.</exception>
    public static BuildVerbosity LevelOf(BuildEvent one)
    {
        if (one is null)
        {
            throw new ArgumentNullException(nameof(one));
        }

        BuildVerbosity level = LevelOf(one.Kind);
        return level == BuildVerbosity.Normal ? LevelOf(one.Number("Importance")) : level;
    }

    /// <summary>Reads a verbosity: a name of <see cref="BuildVerbosity"/> or its short form, in any case.</summary>
    /// <param name="word">The word.</param>
    /// <returns>The verbosity; null if it is none.</returns>
    public static BuildVerbosity? VerbosityOf(string? word) => word?.ToLowerInvariant() switch
    {
        "q" or "quiet" => BuildVerbosity.Quiet,
        "m" or "minimal" => BuildVerbosity.Minimal,
        "n" or "normal" => BuildVerbosity.Normal,
        "d" or "detailed" => BuildVerbosity.Detailed,
        "diag" or "diagnostic" => BuildVerbosity.Diagnostic,
        _ => null,
    };

    /// <summary>Returns the least verbosity that shows any event of a kind: those below need not even be read from their packet.</summary>
    /// <param name="kind">The kind.</param>
    public static BuildVerbosity LevelOf(BuildEventKind kind) => kind switch
    {
        _ when IsError(kind) || IsWarning(kind) => BuildVerbosity.Quiet,
        BuildEventKind.CriticalMessage or BuildEventKind.ExtendedCriticalMessage => BuildVerbosity.Minimal,
        BuildEventKind.Message or BuildEventKind.ExtendedMessage => BuildVerbosity.Normal,
        BuildEventKind.TargetStarted or BuildEventKind.TaskStarted or BuildEventKind.TaskCommandLine or BuildEventKind.ProjectStarted =>
            BuildVerbosity.Detailed,
        _ => BuildVerbosity.Diagnostic,
    };

    /// <summary>The least verbosity that shows a message.</summary>
    internal static BuildVerbosity LevelOf(int importance) => importance switch
    {
        High => BuildVerbosity.Normal,
        NormalImportance => BuildVerbosity.Detailed,
        _ => BuildVerbosity.Diagnostic,
    };

    /// <summary>Returns an event as text, possibly of several lines: a diagnostic in the form that editors and build servers know,
    /// <c>path(line,col): warning CODE: text [project]</c>; parameters of a task with their items; anything else as its message.</summary>
    /// <param name="one">The event. Its texts are as they arrived: code that shows them on a terminal escapes them
    /// (<see cref="TerminalText"/>).</param>
    /// <param name="framework">The framework of its project, if that has several; else empty (default).</param>
    /// <exception cref="ArgumentNullException"><paramref name="one"/> is null.</exception>
    public static string Of(BuildEvent one, string framework = "")
    {
        if (one is null)
        {
            throw new ArgumentNullException(nameof(one));
        }

        return IsError(one.Kind) ? Canonical(one, "error", framework)
            : IsWarning(one.Kind) ? Canonical(one, "warning", framework)
            : one.Kind == BuildEventKind.TaskParameter ? TaskParameterText.Of(one)
            : one.Message ?? one.Kind.ToString();
    }

    /// <summary>
    /// <c>path(line,col): warning CODE: text [project]</c> or <c>[project::TargetFramework=net10.0]</c>, each line of the text like that, as
    /// MSBuild's console logger has it. As with <c>dotnet build</c>, a diagnostic of the project file itself does not repeat it:
    /// <c>[TargetFramework=net10.0]</c> or nothing. Other than there a return alone ends a line too, and no name has several lines: a line
    /// that begins with what a build wrote could be a command to the service that runs the build.
    /// </summary>
    private static string Canonical(BuildEvent one, string category, string framework)
    {
        string subcategory = one.Text("Subcategory") is { Length: > 0 } sub ? sub + " " : string.Empty;
        string head = OneLine($"{Origin(one)}{subcategory}{category} {one.Text("Code")}: ");
        string file = one.Text("ProjectFile") ?? string.Empty;
        string own = file == one.Text("File") ? string.Empty : file;
        string[] parts = [own, framework.Length > 0 ? "TargetFramework=" + framework : string.Empty];
        string project = OneLine(string.Join("::", parts.Where(part => part.Length > 0)));
        string tail = project.Length > 0 ? $" [{project}]" : string.Empty;
        string[] lines = (one.Message ?? string.Empty).Replace("\r\n", "\n").Split('\n', '\r');
        return string.Join("\n", lines.Select(line => head + line + tail));
    }

    private static string OneLine(string text) => text.IndexOfAny(['\r', '\n']) < 0 ? text : TerminalText.Escape(text);

    /// <summary>The file as the task named it, without a folder if it named none.</summary>
    private static string Origin(BuildEvent one)
    {
        string? file = one.Text("File");
        if (string.IsNullOrEmpty(file))
        {
            return "MSBUILD : ";
        }

        int line = one.Number("LineNumber"), column = one.Number("ColumnNumber"), endLine = one.Number("EndLineNumber"),
            endColumn = one.Number("EndColumnNumber");
        FormattableString place = (line, column, endLine, endColumn) switch
        {
            (0, _, _, _) => $"{file} : ",
            (_, 0, 0, _) => $"{file}({line}): ",
            (_, 0, _, _) => $"{file}({line}-{endLine}): ",
            (_, _, 0, 0) => $"{file}({line},{column}): ",
            (_, _, 0, _) => $"{file}({line},{column}-{endColumn}): ",
            (_, _, _, 0) => $"{file}({line}-{endLine},{column}): ",
            _ => $"{file}({line},{column},{endLine},{endColumn}): ",
        };
        return place.ToString(CultureInfo.InvariantCulture);
    }
}
