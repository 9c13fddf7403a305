using System;

namespace Transport.Journal;

/// <summary>A journal that is ready to be appended to.</summary>
internal sealed record OpenedJournal(SegmentDirectory Directory, SegmentWriter Writer, Guid Id, JournalRecovery Recovery);
