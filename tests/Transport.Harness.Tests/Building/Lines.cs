using System;
using System.Collections.Generic;
using BuildHarness.Display;

namespace BuildHarness.Tests.Building;

/// <summary>A display that keeps what it is shown. Safe from any thread.</summary>
internal sealed class Lines : IDisplay
{
    private readonly List<string> _lines = [];

    public string? Fault => null;

    public string[] All
    {
        get
        {
            lock (_lines)
            {
                return [.. _lines];
            }
        }
    }

    public void Line(string text, LineKind kind = LineKind.Plain) => Block([text], kind);

    public void Block(IReadOnlyList<string> lines, LineKind kind = LineKind.Plain)
    {
        lock (_lines)
        {
            _lines.AddRange(lines);
        }
    }

    public void Node(string node, string? activity)
    {
    }

    public void Progress(int finished, int projects, long events)
    {
    }

    public void Drain()
    {
    }

    public void Dispose()
    {
    }

    public override string ToString() => string.Join('\n', All);
}
