using System.Collections.Generic;
using System.Linq;
using System.Text;
using Transport;
using Transport.Terminal;

namespace BuildHarness.Display;

/// <summary>Plain lines, for files, pipes and build servers.</summary>
/// <param name="output">Takes the text; owned.</param>
internal sealed class PlainDisplay(StdoutQueue output) : IDisplay
{
    public string? Fault => output.Fault;

    public void Line(string text, LineKind kind = LineKind.Plain) => Block([text], kind);

    public void Block(IReadOnlyList<string> lines, LineKind kind = LineKind.Plain) =>
        output.Write(Encoding.UTF8.GetBytes(string.Concat(lines.Select(line => TerminalText.Line(line) + "\n"))));

    public void Node(string node, string? activity)
    {
    }

    public void Progress(int finished, int projects, long events)
    {
    }

    public void Drain() => output.Drain();

    public void Dispose() => output.Dispose();
}
