namespace Transport.Journal;

/// <summary>Reports one thing that is wrong with a journal.</summary>
internal readonly record struct JournalFinding
{
    /// <summary>Gets the file's name within the directory.</summary>
    public string File { get; init; }

    /// <summary>Gets the offset in the file, in bytes.</summary>
    public long Offset { get; init; }

    /// <summary>Gets the position concerned: of the packet that cannot be read, or of the last one before it.</summary>
    public long Position { get; init; }

    /// <summary>Gets one sentence that says where and what.</summary>
    public string Message { get; init; }

    /// <summary>Returns <see cref="Message"/>.</summary>
    /// <returns>The sentence; empty for the default value.</returns>
    public override string ToString() => Message ?? string.Empty;
}
