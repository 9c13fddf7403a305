using System;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>Distinguishes a journal's directory from somebody else's, by names alone.</summary>
internal static class JournalDirectory
{
    /// <summary>Says no if a directory holds something else.</summary>
    /// <param name="store">The directory.</param>
    /// <param name="entries">What it holds.</param>
    /// <param name="mayBeEmpty">Whether an empty one is a journal that is to be made.</param>
    /// <exception cref="JournalException"><see cref="JournalFault.NotAJournal"/>.</exception>
    public static void Expect(IJournalStore store, IReadOnlyList<StoreEntry> entries, bool mayBeEmpty)
    {
        bool hasLock = false, isStrange = false;
        foreach (StoreEntry entry in entries)
        {
            if (FileNames.IsSegment(entry.Name, out _))
            {
                return;
            }

            hasLock |= string.Equals(entry.Name, FileNames.Lock, StringComparison.Ordinal);
            isStrange |= !FileNames.IsOurs(entry.Name);
        }

        // A journal that never came to its first segment has nothing beside its lock; others have locks too.
        if (isStrange || !(hasLock || (entries.Count == 0 && mayBeEmpty)))
        {
            throw new JournalException(JournalFault.NotAJournal,
                $"\"{store.Path}\" holds no journal: a journal has files named 0000000001{FileNames.SegmentEnd} and so on.");
        }
    }
}
