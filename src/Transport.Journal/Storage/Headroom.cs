using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Transport.Journal;

/// <summary>Whether the process has enough descriptors left for an open journal.</summary>
/// <remarks>
/// Later it opens the next segment, a spare one and its directory, and .NET takes two for each thread that it starts and for each library
/// that it loads (some five are loaded with the first commit). If it gets none for the first thread of its pool, the pool runs nothing any
/// more, and who awaits an append waits for ever: so a journal that could come to that is not opened.
/// </remarks>
internal static class Headroom
{
    private const int Needed = 24;

    /// <summary>Opens as many descriptors as are needed, and closes them. On Windows there is no such limit.</summary>
    /// <exception cref="JournalException"><see cref="JournalFault.TooFewDescriptors"/>.</exception>
    public static void ThrowIfLacking()
    {
        if (RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
        {
            return;
        }

        var open = new List<int>(Needed);
        Errno error = Errno.None;
        while (open.Count < Needed && (error = FileDescriptor.TryOpen("/", OpenFlags.ReadOnly, mode: 0, out int descriptor)) == Errno.None)
        {
            open.Add(descriptor);
        }

        open.ForEach(FileDescriptor.Close);
        if (error is Errno.EMFILE or Errno.ENFILE)
        {
            throw new JournalException(JournalFault.TooFewDescriptors, $"An open journal needs up to {Needed} descriptors more, and "
                + $"{open.Count} are left: {error.Describe()}. Close others, or raise the limit (ulimit -n).");
        }
    }
}
