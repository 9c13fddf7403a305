using System;
using System.Threading;
using Spectre.Console;
using Transport.Terminal;

namespace BuildHarness.Display;

/// <summary>Chooses how to show things.</summary>
internal static class Displays
{
    /// <summary>A live view on a terminal, plain lines elsewhere.</summary>
    public static IDisplay Create(CancellationToken interrupt, TimeProvider clock) =>
        IsTerminal() ? new LiveDisplay(AnsiConsole.Console, clock)
            : new PlainDisplay(new StdoutQueue(Console.OpenStandardOutput(), interrupt, clock));

    /// <summary>Whether stdout is a terminal that can be drawn on.</summary>
    public static bool IsTerminal() =>
        !Console.IsOutputRedirected && Environment.GetEnvironmentVariable("TERM") is not "dumb";
}
