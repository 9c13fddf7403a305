using System;
using Transport.MSBuild;

namespace Transport.Tool;

/// <summary>The live view of <c>collect</c>: the build's own output scrolls by above what its nodes are on. Safe from any thread.</summary>
internal sealed class BuildView : IDisposable
{
    private readonly BuildState _state = new();
    private readonly BuildScreen _screen;

    public BuildView() => _screen = new BuildScreen(_state, Console.OpenStandardOutput());

    /// <summary>Takes an event.</summary>
    public void Take(string node, BuildEvent one) => _state.Take(node, one);

    /// <summary>Shows a line of the build's output.</summary>
    public void Write(OutputLine line) => _screen.Line(TerminalText.Escape(line.Text), line.IsError ? CellStyle.Error : CellStyle.Plain);

    /// <summary>Removes the view; lines that were shown stay.</summary>
    public void Dispose() => _screen.Dispose();
}
