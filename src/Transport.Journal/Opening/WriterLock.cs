using System;
using System.Diagnostics;
using System.Threading;

namespace Transport.Journal;

/// <summary>The right to write into a journal's directory, which one has at a time.</summary>
internal static class WriterLock
{
    /// <summary>A reader that asks whether the writer lives holds the lock for an instant.</summary>
    private const int Milliseconds = 1000;

    /// <summary>Takes it.</summary>
    /// <param name="store">The directory.</param>
    /// <param name="advice">What to do if somebody else has it.</param>
    /// <exception cref="JournalException"><see cref="JournalFault.InUse"/>: somebody else keeps it.</exception>
    /// <exception cref="StoreException">The system.</exception>
    public static IDisposable Take(IJournalStore store, string advice)
    {
        var clock = Stopwatch.StartNew();
        var wait = default(SpinWait);
        while (true)
        {
            if (store.TryLock(FileNames.Lock) is { } taken)
            {
                return taken;
            }

            if (clock.ElapsedMilliseconds > Milliseconds)
            {
                throw new JournalException(JournalFault.InUse, $"The journal in \"{store.Path}\" is open for writing elsewhere. {advice}");
            }

            wait.SpinOnce();
        }
    }
}
