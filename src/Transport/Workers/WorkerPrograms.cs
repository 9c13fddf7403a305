using System;
using System.IO;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>Finds the programs of workers that were built beside this program.</summary>
internal static class WorkerPrograms
{
    /// <summary>Returns the path of a worker's program: <c>workers/NAME/NAME</c> beside this one, where a project reference with
    /// <c>TransportWorker="true"</c> puts it.</summary>
    /// <param name="folder">The folder of this program.</param>
    /// <param name="name">The program's name, without an extension.</param>
    /// <returns>The full path, for <see cref="ProcessStartOptions"/>.</returns>
    /// <exception cref="ArgumentException"><paramref name="name"/> is empty or holds a directory.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.StartFailed"/>: there is no such program; the message says where it
    /// was expected.</exception>
    public static string Find(string folder, string name)
    {
        if (string.IsNullOrEmpty(name) || Path.GetFileName(name) != name)
        {
            throw new ArgumentException("Expected the name of a program, without a directory.", nameof(name));
        }

        string file = RuntimeInformation.IsOSPlatform(OSPlatform.Windows) ? name + ".exe" : name;
        string path = Path.Combine(folder, "workers", name, file);
        return File.Exists(path) ? path : throw new TransportException(
            TransportFault.StartFailed,
            $"No worker program {path}. Reference its project with TransportWorker=\"true\", or start it by its own path.",
            code: "not-found");
    }
}
