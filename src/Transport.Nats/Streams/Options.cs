using System;

namespace Transport.Nats;

/// <summary>Checks of options.</summary>
internal static class Options
{
    /// <summary>Throws unless a value can be used.</summary>
    /// <exception cref="ArgumentException">It cannot.</exception>
    public static void Require(bool isValid, string name, object? value, string allowed)
    {
        if (!isValid)
        {
            throw new ArgumentException($"{name} = {value ?? "null"}, allowed: {allowed}.", name);
        }
    }
}
