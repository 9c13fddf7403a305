using System;
using System.IO;
using System.Text;

namespace Transport.Terminal;

/// <summary>
/// Passes whole lines on as <see cref="TerminalText.Line"/> makes them. Each call is one write; it ends with a line's end.
/// </summary>
/// <param name="inner">Takes the lines; owned.</param>
public sealed class ShorteningWriter(TextWriter inner) : TextWriter
{
    /// <inheritdoc/>
    public override Encoding Encoding => inner.Encoding;

    /// <inheritdoc/>
    public override void Write(char[] buffer, int index, int count)
    {
        ReadOnlySpan<char> rest = buffer.AsSpan(index, count);
        while (!rest.IsEmpty)
        {
            int end = rest.IndexOf('\n');
            inner.Write(TerminalText.Line((end < 0 ? rest : rest[..end]).ToString()));
            if (end < 0)
            {
                break;
            }

            inner.Write('\n');
            rest = rest[(end + 1)..];
        }

        inner.Flush();
    }

    /// <inheritdoc/>
    public override void Write(char value) => Write([value], 0, 1);

    /// <inheritdoc/>
    public override void Flush() => inner.Flush();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            inner.Dispose();
        }

        base.Dispose(disposing);
    }
}
