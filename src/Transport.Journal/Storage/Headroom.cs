using System.Runtime.InteropServices;
using Transport.Unix;

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
    public static unsafe void ThrowIfLacking()
    {
        if (RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
        {
            return;
        }

        int* open = stackalloc int[Needed];
        int count = 0;
        fixed (byte* path = Libc.PathBytes("/"))
        {
            while (count < Needed && (open[count] = Libc.Open(path, 0, 0)) >= 0)
            {
                count++;
            }
        }

        Errno error = count < Needed ? Libc.LastError : Errno.None;
        for (int i = 0; i < count; i++)
        {
            FileDescriptor.Close(open[i]);
        }

        if (error is Errno.EMFILE or Errno.ENFILE)
        {
            throw new JournalException(JournalFault.TooFewDescriptors, $"An open journal needs up to {Needed} descriptors more, and "
                + $"{count} are left: {error.Describe()}. Close others, or raise the limit (ulimit -n).");
        }
    }
}
