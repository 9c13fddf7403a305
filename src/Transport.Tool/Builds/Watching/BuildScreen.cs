using System;
using System.IO;
using System.Text;
using System.Threading;
using Transport.MSBuild;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>Where a build is shown, whatever stands in its texts: a live view on a terminal, below lines that scroll by; elsewhere lines
/// alone. Safe from any thread. Never throws: what cannot be shown is not worth ending a build for.</summary>
internal sealed class BuildScreen : IDisposable
{
    private readonly Lock _gate = new();
    private readonly Stream _output;
    private readonly LiveRegion? _region;

    /// <param name="state">Where the build stands.</param>
    /// <param name="output">Takes the lines if there is no terminal; owned.</param>
    public BuildScreen(BuildState state, Stream output)
    {
        _output = output;
        if (LiveRegion.IsPossible)
        {
            var board = new BuildBoard(state, TimeProvider.System);
            _region = LiveRegion.OnConsole(board.Rows);
        }
    }

    /// <summary>Shows an event if it is a warning or an error.</summary>
    public void Show(BuildEvent one)
    {
        bool isError = BuildEventText.IsError(one.Kind);
        if (isError || BuildEventText.IsWarning(one.Kind))
        {
            foreach (string line in TerminalText.Lines(BuildEventText.Of(one)))
            {
                Line(line, isError ? CellStyle.Error : CellStyle.Warning);
            }
        }
    }

    /// <summary>Shows a line.</summary>
    public void Line(string line, CellStyle style = CellStyle.Plain)
    {
        if (_region is not null)
        {
            _region.Line(line, style);
            return;
        }

        Write(line);
    }

    /// <summary>Removes the live view, and shows a last line.</summary>
    public void End(string line)
    {
        _region?.Dispose();
        Write(line);
    }

    public void Dispose()
    {
        _region?.Dispose();
        _output.Dispose();
    }

    private void Write(string line)
    {
        lock (_gate)
        {
            try
            {
                _output.Write(Encoding.UTF8.GetBytes(TerminalText.Escape(line) + "\n"));
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or ObjectDisposedException)
            {
                // Nobody reads it any more.
            }
        }
    }
}
