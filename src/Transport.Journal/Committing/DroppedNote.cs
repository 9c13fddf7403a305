using System.Collections.Generic;
using System.Threading;

namespace Transport.Journal;

/// <summary>Which segments this journal has dropped, in the name of an empty file: to rename it needs no space, and nothing that holds records
/// is written again. Under the directory's lock, but for <see cref="Number"/>.</summary>
internal sealed class DroppedNote(IJournalStore store)
{
    private string? _name;
    private long _number;   // written under the directory's lock, read by any thread: it orders nothing else

    /// <summary>Gets the number up to which segments were dropped; 0: none is known to be. Any thread.</summary>
    public long Number => Volatile.Read(ref _number);

    /// <summary>Gets a value indicating whether it is there.</summary>
    public bool Exists => _name is not null;

    /// <summary>Takes over what is there.</summary>
    public void TakeOver(IEnumerable<string> names)
    {
        foreach (string name in names)
        {
            _ = FileNames.IsDropped(name, out long number);
            if (number > _number)
            {
                _name = name;
                Volatile.Write(ref _number, number);
            }
        }
    }

    /// <summary>Notes that segments are about to be dropped, durably. Where that fails they go all the same: to keep them would keep a full
    /// disk full. They may be taken for missing then, if nobody notes that they were acknowledged.</summary>
    /// <param name="sequence">The number of the last one.</param>
    public void Raise(long sequence)
    {
        string name = FileNames.Dropped(sequence);
        try
        {
            if (_name is { } before)
            {
                store.Rename(before, name);
            }
            else
            {
                store.Create(name).Dispose();
            }

            _name = name;
            Volatile.Write(ref _number, sequence);
            store.SyncDirectory();
        }
        catch (StoreException)
        {
            // As above.
        }
    }

    /// <summary>A segment is to be begun: with the first one a journal begins anew, of which nothing was dropped.</summary>
    /// <exception cref="StoreException">The note of the one before cannot be removed.</exception>
    public void Begin(long sequence)
    {
        if (sequence == 1 && _name is { } name)
        {
            store.Delete(name);
            _name = null;
            Volatile.Write(ref _number, 0);
        }
    }
}
