namespace Transport;

/// <summary>A line that a child process wrote. Immutable.</summary>
/// <param name="Text">The line without its end (<c>\n</c> or <c>\r\n</c>); bytes that are not UTF-8 read as U+FFFD.</param>
/// <param name="IsError">True: the process wrote the line to standard error; false: to standard output.</param>
/// <param name="IsPartial">True: the line is longer than 64 KiB and goes on in the next line of this stream; false: it ended here.</param>
public readonly record struct OutputLine(string Text, bool IsError, bool IsPartial)
{
    /// <summary>Returns the stream and the line, with control characters escaped.</summary>
    public override string ToString() => $"{(IsError ? "err" : "out")}: {TerminalText.Line(Text ?? string.Empty)}";
}
