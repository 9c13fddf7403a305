using System.Runtime.CompilerServices;

namespace Transport;

/// <summary>Whether the program can make code while it runs.</summary>
internal static class DynamicCode
{
    /// <summary>Gets a value indicating whether it can: false in a program that is compiled ahead, whose compiler knows this.</summary>
    public static bool IsSupported => RuntimeFeature.IsDynamicCodeSupported;
}
