using System;
using System.IO;

namespace Transport.Files;

/// <summary>Converts the exceptions of the system into <see cref="TransportException"/>, with a path.</summary>
internal static class Guarded
{
    /// <summary>Runs a call.</summary>
    /// <typeparam name="T">The type of its result.</typeparam>
    /// <param name="path">The path for the message.</param>
    /// <param name="operation">The operation, if the exception does not name it.</param>
    /// <param name="call">The call.</param>
    /// <exception cref="TransportException">The system refused something.</exception>
    public static T Run<T>(string path, string operation, Func<T> call)
    {
        try
        {
            return call();
        }
        catch (Exception failed) when (IsFromSystem(failed))
        {
            throw FileCallException.Failure(path, operation, failed).ToException();
        }
    }

    private static bool IsFromSystem(Exception failed) =>
        failed is IOException or UnauthorizedAccessException or NotSupportedException or EntryPointNotFoundException;
}
