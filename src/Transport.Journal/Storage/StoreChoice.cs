using System;
using System.IO;
using System.Runtime.InteropServices;

namespace Transport.Journal;

/// <summary>Which store this system gets.</summary>
internal static class StoreChoice
{
    /// <summary>Opens a directory; nothing is read or made yet.</summary>
    /// <exception cref="JournalException"><see cref="JournalFault.NotAJournal"/>: no directory can have that name.</exception>
    public static IJournalStore For(string path) => For(path, RuntimeInformation.IsOSPlatform(OSPlatform.Windows));

    /// <summary>Opens a directory as a given system does. Every Unix gets the store that syncs names.</summary>
    internal static IJournalStore For(string path, bool isWindows) =>
        isWindows ? new PortableStore(PathOf(path)) : new UnixStore(PathOf(path));

    /// <summary>
    /// Gives a directory's whole path, without a separator at its end: what stands before the last one is then its parent, which is
    /// synced with it.
    /// </summary>
    /// <exception cref="JournalException"><see cref="JournalFault.NotAJournal"/>: no directory can have that name.</exception>
    public static string PathOf(string path)
    {
        try
        {
            string full = Path.GetFullPath(path);
            string trimmed = full.TrimEnd(Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar);
            return trimmed.Length >= (Path.GetPathRoot(full) ?? string.Empty).Length ? trimmed : full;
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException or PathTooLongException)
        {
            throw new JournalException(
                JournalFault.NotAJournal, $"\"{path.Replace('\0', '?')}\" names no directory: {e.Message.TrimEnd('.')}. Name another.", e);
        }
    }
}
