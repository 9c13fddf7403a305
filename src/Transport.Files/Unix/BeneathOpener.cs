using System.Threading;

namespace Transport.Files;

/// <summary>Opens a directory some levels down by one call that goes through no link and never leaves the root (openat2(2), Linux 5.6). Where the system has no such call, or forbids it, says so once and for all.</summary>
internal sealed class BeneathOpener(UnixCalls calls, int root)
{
    private int _isMissing;

    /// <summary>Opens it.</summary>
    /// <returns>The handle, the negative error number, or null: to be opened one by one.</returns>
    public int? Open(string path)
    {
        if (Volatile.Read(ref _isMissing) != 0)
        {
            return null;
        }

        int answer = calls.OpenBeneath(root, path, Libc.ReadOnly | Libc.Directory);
        if (answer is -Errno.NoCall or -Errno.NotPermitted or -Errno.Invalid or -Errno.TooLong)
        {
            Volatile.Write(ref _isMissing, 1);
            return null;
        }

        return answer == -Errno.Again ? null : answer; // Again: something was renamed meanwhile
    }
}
