using System;

namespace BuildHarness.Display;

/// <summary>A number and what it counts: 1 warning, 2 warnings.</summary>
internal static class Counted
{
    public static string Of(long number, string one) => FormattableString.Invariant($"{number} {one}{(number == 1 ? string.Empty : "s")}");
}
