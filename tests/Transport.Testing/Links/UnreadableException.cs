using System;
using System.IO;

namespace Transport.Testing.Links;

/// <summary>An exception of a caller's code that nobody can describe: reading its message or its text throws it again.</summary>
public sealed class UnreadableException : Exception
{
    /// <inheritdoc/>
    public override string Message => throw this;

    /// <inheritdoc/>
    public override string ToString() => throw this;
}

/// <summary>The same as an <see cref="IOException"/>, which wires may throw.</summary>
public sealed class UnreadableIOException : IOException
{
    /// <inheritdoc/>
    public override string Message => throw this;

    /// <inheritdoc/>
    public override string ToString() => throw this;
}
