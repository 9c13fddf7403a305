namespace Transport.Journal;

/// <summary>One loop over a journal's reader (<see cref="JournalReader.GetEnumerator"/>).</summary>
public ref struct JournalEnumerator
{
    private readonly JournalReader _reader;
    private JournalRecord _current;

    internal JournalEnumerator(JournalReader reader)
    {
        _reader = reader;
        _current = default;
    }

    /// <summary>Gets the packet that was read last.</summary>
    public readonly JournalRecord Current => _current;

    /// <summary>Reads the next packet.</summary>
    /// <returns>As <see cref="JournalReader.TryRead"/>.</returns>
    /// <exception cref="JournalException">As with <see cref="JournalReader.TryRead"/>.</exception>
    public bool MoveNext() => _reader.TryRead(out _current);
}
