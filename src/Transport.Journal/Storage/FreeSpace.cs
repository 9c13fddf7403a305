using System;
using System.IO;

namespace Transport.Journal;

/// <summary>Asks the system how much space a disk has.</summary>
internal static class FreeSpace
{
    /// <summary>Returns the bytes that this user may still use on the disk of a directory; null if the system does not say.</summary>
    public static long? Of(string directory)
    {
        try
        {
            return new DriveInfo(directory).AvailableFreeSpace;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }
}
