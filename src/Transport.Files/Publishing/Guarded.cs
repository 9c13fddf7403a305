using System;
using System.IO;

namespace Transport.Files;

/// <summary>Turns what the system says into the one exception of this library, with a path.</summary>
internal static class Guarded
{
    public static T Run<T>(string path, string operation, Func<T> call)
    {
        try
        {
            return call();
        }
        catch (Exception failed) when (failed is IOException or UnauthorizedAccessException or NotSupportedException or EntryPointNotFoundException)
        {
            throw OutputState.Error(FileCallException.Failure(path, operation, failed));
        }
    }
}
