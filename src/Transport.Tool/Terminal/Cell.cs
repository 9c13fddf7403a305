namespace Transport.Tool;

/// <summary>How a piece of a row looks.</summary>
internal enum CellStyle
{
    Plain,
    Faint,
    Name,
    Good,
    Warning,
    Error,
}

/// <summary>A piece of a row.</summary>
/// <param name="Text">Its text, without control characters.</param>
/// <param name="Style">How it looks.</param>
internal readonly record struct Cell(string Text, CellStyle Style = CellStyle.Plain);
