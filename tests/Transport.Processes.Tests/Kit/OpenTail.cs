using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;

namespace Transport.Processes.Tests.Kit;

/// <summary>The tail that this process, as a main node, keeps open for its one worker: it has no name, but any process of this user that
/// may trace this one can open it.</summary>
internal static class OpenTail
{
    public static FileStream Open() => new(Directory.GetFileSystemEntries("/proc/self/fd").First(IsTail), FileMode.Open,
        FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);

    private static bool IsTail(string descriptor)
    {
        byte[] target = new byte[4096];
        long length = (long)readlink(descriptor, target, (IntPtr)target.Length);
        return length > 0 && Encoding.UTF8.GetString(target, 0, (int)length).EndsWith(".tail (deleted)", StringComparison.Ordinal);
    }

    [DllImport("libc", CharSet = CharSet.Ansi, BestFitMapping = false, ThrowOnUnmappableChar = true)]
    private static extern IntPtr readlink(string path, byte[] target, IntPtr size);
}
