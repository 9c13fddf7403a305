using System;

namespace BuildHarness.Archives;

/// <summary>An archive is refused. The message is one sentence that names the entry, where it is about one, and the reason; it holds no control characters.</summary>
/// <param name="entry">The entry's name as it may be shown, or null where it is about the archive as a whole.</param>
/// <param name="reason">What is wrong with it.</param>
internal sealed class ArchiveException(string? entry, string reason) : Exception(entry is null ? reason : $"entry {entry}: {reason}")
{
    public string? Entry { get; } = entry;

    public string Reason { get; } = reason;
}
