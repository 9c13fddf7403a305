using System;
using BuildHarness.Archives.Names;

namespace BuildHarness.Archives;

/// <summary>An archive is refused. The message is one sentence that names the entry, if it is about one, and the reason; it holds no
/// control characters.</summary>
/// <param name="entry">The entry's name, or null if it is about the archive as a whole.</param>
/// <param name="reason">What is wrong with it.</param>
internal sealed class ArchiveException(byte[]? entry, string reason)
    : Exception(entry is null ? reason : $"entry {ByteText.Show(entry)}: {reason}");
