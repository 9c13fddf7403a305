using System;

namespace Transport.Files;

/// <summary>A file of an <see cref="IEarlierTree"/> whose bytes are compared with those to be written.</summary>
/// <remarks>For one caller at a time. It may be disposed by another thread at any time; from then on nothing matches.</remarks>
internal interface IEarlierFile : IDisposable
{
    /// <summary>Gets the number of bytes that matched, from its start.</summary>
    long MatchedBytes { get; }

    /// <summary>Gets a value indicating whether all of its bytes matched.</summary>
    bool IsFullyMatched { get; }

    /// <summary>Compares the next bytes.</summary>
    /// <param name="bytes">The bytes to be written.</param>
    /// <param name="buffer">Memory to read into.</param>
    /// <returns>Whether they match. Otherwise <see cref="MatchedBytes"/> stays as it was.</returns>
    bool TryMatch(ReadOnlySpan<byte> bytes, byte[] buffer);

    /// <summary>Reads bytes that matched.</summary>
    /// <param name="offset">Their place in the file.</param>
    /// <param name="buffer">Where they go.</param>
    /// <returns>The number of bytes, at least 1.</returns>
    /// <exception cref="FileCallException"><see cref="TransportFault.FileTreeChanged"/>: they cannot be read any more.</exception>
    int ReadMatched(long offset, Span<byte> buffer);

    /// <summary>Makes sure that the file is still as it was found.</summary>
    /// <exception cref="FileCallException"><see cref="TransportFault.FileTreeChanged"/>: it was changed.</exception>
    void ThrowIfChanged();
}
