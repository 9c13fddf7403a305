using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Transport.MSBuild;

/// <summary>The notes of this user's running collectors and builds, in the private folder of endpoints.</summary>
internal static class RunningNotes
{
    /// <summary>Returns the notes, the newest first, without those of processes that have exited.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: there is no folder that is this user's alone; the
    /// message says why and what to do.</exception>
    /// <exception cref="IOException">The folder cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder may not be read.</exception>
    public static IReadOnlyList<string> Paths() =>
        [.. EndpointDirectory.Notes().OrderByDescending(file => file.LastWriteTimeUtc).Select(file => file.FullName)];

    /// <summary>Returns the note of the newest collector that lets builds in; null if there is none.</summary>
    /// <inheritdoc cref="Paths"/>
    public static string? Collector()
    {
        foreach (string path in Paths())
        {
            try
            {
                _ = ConnectionFile.Read(path);
                return path;
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
            {
                // A note of a build without a listener, or one that is just going.
            }
        }

        return null;
    }
}
