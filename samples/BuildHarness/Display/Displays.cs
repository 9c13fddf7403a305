using System;
using Spectre.Console;

namespace BuildHarness.Display;

/// <summary>Chooses how to show things.</summary>
internal static class Displays
{
    /// <summary>A live view on a terminal, plain lines elsewhere.</summary>
    public static IDisplay Create(TimeProvider clock) =>
        IsTerminal() ? new LiveDisplay(AnsiConsole.Console, clock) : new PlainDisplay(Console.OpenStandardOutput());

    private static bool IsTerminal() =>
        !Console.IsOutputRedirected && Environment.GetEnvironmentVariable("TERM") is not "dumb";
}
