using System;

namespace Transport;

/// <summary>Starts threads if the work has a way out if there is none to be had.</summary>
internal static class Threads
{
    /// <summary>Starts a thread; false if the system gives no more (a limit of the user's or the container's).</summary>
    /// <param name="start">Starts it, and does nothing else.</param>
    public static bool TryStart(Action start)
    {
        try
        {
            start();
            return true;
        }
        catch (Exception)
        {
            return false;   // OutOfMemoryException; on Mono ExecutionEngineException
        }
    }
}
