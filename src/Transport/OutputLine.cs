namespace Transport;

/// <summary>Which of a process's two output streams.</summary>
public enum OutputStream
{
    /// <summary>Standard output.</summary>
    Out = 1,

    /// <summary>Standard error.</summary>
    Error = 2,
}

/// <summary>A line that a process wrote. Immutable.</summary>
/// <param name="Stream">Where it was written.</param>
/// <param name="Text">The line without its end (<c>\n</c> or <c>\r\n</c>); bytes that are not UTF-8 read as U+FFFD.</param>
/// <param name="Partial">True: the line is longer than 64 KiB and goes on in the next line of this stream; false: it ended here.</param>
public readonly record struct OutputLine(OutputStream Stream, string Text, bool Partial);
