using System;

namespace BuildHarness.Archives;

/// <summary>A format's forward reader. Every fault is an <see cref="ArchiveException"/>; a file that cannot be read is an
/// <see cref="System.IO.IOException"/>.</summary>
internal interface IEntrySource
{
    /// <summary>Goes to the next entry; what is left of the current one's content is read and checked first.</summary>
    /// <returns>The entry, or null if the archive has ended as it should.</returns>
    RawEntry? Next();

    /// <summary>Reads on in the current entry's content.</summary>
    /// <returns>How many bytes; 0 at the end, and then all that the format promises of the content holds.</returns>
    int Read(Span<byte> buffer);
}
