namespace Transport;

/// <summary>Whether the program can make code while it runs.</summary>
internal static class DynamicCode
{
    /// <summary>Gets a value indicating whether it can.</summary>
    public static bool IsSupported => true;
}
