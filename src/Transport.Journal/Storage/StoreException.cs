using System;

namespace Transport.Journal;

/// <summary>A call of the store failed.</summary>
internal sealed class StoreException(StoreError error, string message, Exception? cause = null) : Exception(message, cause)
{
    public StoreError Error { get; } = error;

    /// <summary>Gets a value indicating whether the call may succeed later, when others have freed what it lacked.</summary>
    public bool MayPass => Error is StoreError.Full or StoreError.Shortage;
}
