using System;

namespace Transport.Loads.Workers;

/// <summary>What a worker process does when it is asked to begin. Made once, connected, then asked as often as there are rounds.</summary>
internal interface IJob : IDisposable
{
    /// <summary>Does one round.</summary>
    /// <param name="order">The words of the order.</param>
    /// <returns>What the main process should know, on one line; may be empty.</returns>
    string Run(string[] order);
}
