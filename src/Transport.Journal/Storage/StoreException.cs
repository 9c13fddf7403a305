using System;

namespace Transport.Journal;

/// <summary>A call of the store failed.</summary>
internal sealed class StoreException(StoreError error, string message, Exception? cause = null) : Exception(message, cause)
{
    public StoreError Error { get; } = error;
}
