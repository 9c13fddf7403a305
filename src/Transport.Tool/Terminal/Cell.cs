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

/// <summary>A piece of a row, fit for a terminal whatever its text was. Immutable.</summary>
internal readonly record struct Cell
{
    /// <summary>Initializes a new instance of the <see cref="Cell"/> struct.</summary>
    /// <param name="text">Its text; what a terminal obeys is escaped here, once for all that is drawn.</param>
    /// <param name="style">How it looks.</param>
    public Cell(string text, CellStyle style = CellStyle.Plain) => (Text, Style) = (TerminalText.Escape(text), style);

    /// <summary>Gets its text, without control characters but tabs.</summary>
    public string Text { get; private init; }

    /// <summary>Gets how it looks.</summary>
    public CellStyle Style { get; }

    /// <summary>Returns the cell cut to so many columns.</summary>
    /// <param name="columns">The columns.</param>
    /// <param name="taken">How many it takes.</param>
    public Cell Cut(int columns, out int taken) => this with { Text = CellWidth.Cut(Text, columns, out taken) };
}
