namespace Transport.Journal;

/// <summary>Takes a packet that a journal's reader has read.</summary>
/// <param name="record">The packet, on loan until the handler returns.</param>
public delegate void JournalRecordHandler(JournalRecord record);
