using System;

namespace Transport.Journal;

/// <summary>Finds out, for a reader of another process, whether anybody still writes. Asks only if nothing came for a while.</summary>
internal sealed class WriterWatch(IJournalStore store, TimeSpan interval)
{
    /// <summary>How long nothing may come before a reader asks.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private TimeSpan _quiet;
    private long _quietAt;

    /// <summary>Counts a look at a place.</summary>
    /// <returns>Whether nothing has come for so long that the reader should ask.</returns>
    public bool IsQuiet(long place)
    {
        _quiet = place == _quietAt ? _quiet + interval : TimeSpan.Zero;
        _quietAt = place;
        if (_quiet < Patience)
        {
            return false;
        }

        _quiet = TimeSpan.Zero;
        return true;
    }

    /// <summary>Whether nobody writes.</summary>
    /// <exception cref="JournalException"><see cref="JournalFault.NotAJournal"/>: the directory has gone.</exception>
    public bool IsWriterGone()
    {
        try
        {
            return !store.IsLocked(FileNames.Lock);
        }
        catch (StoreException e) when (e.Error == StoreError.Missing)
        {
            var gone = new StoreException(StoreError.Missing, $"\"{store.Path}\", the journal's directory, has gone", e);
            throw Faults.From(gone, JournalFault.ReadFailed);
        }
        catch (StoreException)
        {
            return false;   // not ours to ask
        }
    }
}
