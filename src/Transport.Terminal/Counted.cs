using System;

namespace Transport.Terminal;

/// <summary>A number and what it counts: 1 warning, 2 warnings.</summary>
public static class Counted
{
    /// <summary>Returns a number and its noun.</summary>
    /// <param name="number">How many.</param>
    /// <param name="one">The noun for one; more get an s.</param>
    public static string Of(long number, string one) => FormattableString.Invariant($"{number} {one}{(number == 1 ? string.Empty : "s")}");
}
