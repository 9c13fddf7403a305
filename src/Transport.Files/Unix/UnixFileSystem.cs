namespace Transport.Files;

/// <summary>The file system of 64-bit Linux.</summary>
/// <remarks>
/// Every call is relative to a directory handle, so a path that somebody changes meanwhile cannot lead a write elsewhere.
/// </remarks>
/// <param name="calls">The system calls.</param>
internal sealed class UnixFileSystem(UnixCalls calls) : IFileSystem
{
    /// <inheritdoc/>
    public IOutputTree OpenTree(string directory, Retries retries)
    {
        int root = calls.Open(LinuxFlags.Here, directory, LinuxFlags.ReadOnly | LinuxFlags.Directory);
        return root >= 0 ? new UnixTree(calls, root, isOwn: false, retries) : throw Errno.Exception("open", -root);
    }

    /// <inheritdoc/>
    public IStaging CreateStaging(string parent, string name, ExistingTarget existing, Retries retries) =>
        UnixStaging.Create(calls, parent, name, existing, retries);

    /// <inheritdoc/>
    public IEarlierTree? TryOpenEarlier(string directory)
    {
        int root = calls.Open(LinuxFlags.Here, directory, LinuxFlags.ReadOnly | LinuxFlags.Directory);
        return root < 0 ? null : new UnixEarlierTree(calls, root);
    }
}
