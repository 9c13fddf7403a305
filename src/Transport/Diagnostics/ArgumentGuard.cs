using System;

namespace Transport;

/// <summary>Checks of arguments for frameworks without <c>ArgumentNullException.ThrowIfNull</c>.</summary>
internal static class ArgumentGuard
{
    /// <summary>Returns the argument.</summary>
    /// <exception cref="ArgumentNullException">It is null.</exception>
    public static T NotNull<T>(T? argument, string name) => argument is null ? throw new ArgumentNullException(name) : argument;
}
