namespace Transport.Journal;

/// <summary>Somebody who waits until a position is acknowledged.</summary>
internal abstract class Waiter
{
    /// <summary>
    /// Gets or sets the first position that was appended with this wait; 0 if it appended nothing. Refused are from here to
    /// <see cref="Position"/>.
    /// </summary>
    public long First { get; set; }

    /// <summary>Gets or sets the position that is waited for.</summary>
    public long Position { get; set; }

    /// <summary>Gets or sets why it will not be acknowledged, or null.</summary>
    public JournalException? Fault { get; set; }

    public Waiter? Next { get; set; }
}
