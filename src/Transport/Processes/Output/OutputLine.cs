namespace Transport;

/// <summary>A line that a child process wrote. Immutable.</summary>
/// <param name="Text">The line without its end (<c>\n</c> or <c>\r\n</c>); bytes that are not UTF-8 read as U+FFFD.</param>
/// <param name="IsError">True: the process wrote the line to standard error; false: to standard output.</param>
/// <param name="IsPartial">True: the line is longer than 64 KiB and goes on in the next line of this stream; false: it ended here.</param>
public readonly record struct OutputLine(string Text, bool IsError, bool IsPartial)
{
    /// <summary>Gets the name of the worker that wrote it.</summary>
    /// <value>The default is null: the process is no worker.</value>
    public string? Node { get; init; }

    /// <summary>Gets the worker's activity when the line was read, as <c>WorkerProcess.CurrentActivity</c> said. It ties a line to the
    /// work: lines and packets have no common order, because they come by different ways.</summary>
    /// <value>The default is null: nothing, nobody said, or the process is no worker.</value>
    public string? Activity { get; init; }

    /// <summary>Returns the stream and the line, with control characters escaped.</summary>
    public override string ToString() => $"{(IsError ? "err" : "out")}: {TerminalText.Line(Text ?? string.Empty)}";
}
