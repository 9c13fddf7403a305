namespace Transport.Journal;

/// <summary>What opening does with a journal of which something that was known to be synced cannot be read.</summary>
public enum JournalDamage
{
    /// <summary>It fails with <see cref="JournalFault.Damaged"/> and changes nothing. The default.</summary>
    Refuse = 0,

    /// <summary>
    /// It moves all files into a subdirectory <c>damaged-N</c>, which can be read and verified like any journal up to where it is
    /// damaged, and begins anew after the last position that can be found, as another journal with an id of its own.
    /// </summary>
    SetAside = 1,
}
