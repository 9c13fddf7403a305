namespace Transport.Files;

/// <summary>
/// Opens a directory some levels below a root by one call, openat2(2) of Linux 5.6. It follows no link and never leaves the root.
/// </summary>
/// <param name="calls">The system calls.</param>
/// <param name="root">The root's handle.</param>
internal sealed class BeneathOpener(UnixCalls calls, int root)
{
    // Only ever set, by any thread, when the system has no such call or forbids it. A thread that reads the old value asks once more.
    private volatile bool _isMissing;

    /// <summary>Opens a directory.</summary>
    /// <param name="path">Its path below the root.</param>
    /// <returns>The handle, the negative error number, or null: open it level by level.</returns>
    public int? Open(string path)
    {
        if (_isMissing)
        {
            return null;
        }

        int answer = calls.OpenBeneath(root, path, LinuxFlags.ReadOnly | LinuxFlags.Directory);
        if (answer is -Errno.NoCall or -Errno.NotPermitted or -Errno.Invalid or -Errno.TooLong)
        {
            _isMissing = true;
            return null;
        }

        return answer == -Errno.Again ? null : answer; // Again: something was renamed meanwhile
    }
}
