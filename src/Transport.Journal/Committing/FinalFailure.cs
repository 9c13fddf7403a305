using System.Threading;

namespace Transport.Journal;

/// <summary>The failure that ends writing: the first one, for good. Safe from any thread.</summary>
internal sealed class FinalFailure
{
    private readonly object _lock = new();
    private JournalException? _first;   // set once under the lock; who writes looks before it does

    /// <summary>Throws it, if there is one.</summary>
    public void ThrowIfAny()
    {
        if (Volatile.Read(ref _first) is { } failure)
        {
            throw failure.Again();
        }
    }

    /// <summary>Makes a failure final: every later call throws the first one.</summary>
    /// <returns>The exception to throw.</returns>
    public JournalException Set(JournalException failure)
    {
        lock (_lock)
        {
            if (_first is { } first)
            {
                return first.Again();
            }

            Volatile.Write(ref _first, failure);
            return failure;
        }
    }
}
