using System;
using System.Runtime.InteropServices;

namespace Transport.Journal.Storing;

/// <summary>Which store this system gets.</summary>
internal static class StoreChoice
{
    /// <summary>Opens a directory; nothing is read or made yet.</summary>
    public static IJournalStore For(string path) =>
        RuntimeInformation.IsOSPlatform(OSPlatform.Windows) || IntPtr.Size < sizeof(long) ? new PortableStore(path) : new UnixStore(path);
}
