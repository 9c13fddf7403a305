using System;
using System.Collections.Generic;
using Transport;

namespace BuildHarness.Display;

/// <summary>What kind of line it is, for its colour on a terminal.</summary>
internal enum LineKind
{
    Plain,
    Good,
    Warning,
    Error,
}

/// <summary>Where lines for a person go. Safe from any thread; a line is never broken by another. Never throws: what cannot be shown is
/// <see cref="Fault"/>.</summary>
internal interface IDisplay : IDisposable
{
    /// <summary>Gets why lines are not shown any more (a full disk behind stdout), or null. A reader that has gone away is no
    /// fault.</summary>
    string? Fault { get; }

    /// <summary>Waits until all lines are shown, so that <see cref="Fault"/> is complete; after an interrupt only for a moment.</summary>
    void Drain();

    /// <summary>
    /// Shows a line as <see cref="Transport.TerminalText.Line"/> makes it: control characters escaped, beyond 4,096 characters
    /// cut.
    /// </summary>
    void Line(string text, LineKind kind = LineKind.Plain);

    /// <summary>Shows lines that belong together: no other comes between them.</summary>
    void Block(IReadOnlyList<string> lines, LineKind kind = LineKind.Plain);

    /// <summary>Reports what a node is on, for a live view; an empty text: nothing. A null: the node has ended.</summary>
    void Node(string node, string? activity);

    /// <summary>Reports how many projects are finished and how many events have come, for a live view.</summary>
    void Progress(int finished, int projects, long events);
}
