namespace Transport.Tool;

/// <summary>A warning or an error. Equal ones are one: a project with several frameworks repeats them.</summary>
/// <param name="IsError">Whether it is an error.</param>
/// <param name="Code">Its code; empty: none.</param>
/// <param name="Message">Its text.</param>
/// <param name="File">The file, as a full path if the project is known; empty: none.</param>
/// <param name="Line">The line; 0: none.</param>
/// <param name="Column">The column; 0: none.</param>
/// <param name="EndLine">The last line; 0: the same.</param>
/// <param name="Project">The project file; empty: none.</param>
internal sealed record Diagnostic(
    bool IsError, string Code, string Message, string File, int Line, int Column, int EndLine, string Project);
