namespace Transport.Journal;

/// <summary>What a call of the store came to, in one language for all systems.</summary>
internal enum StoreError
{
    None = 0,

    /// <summary>A signal came: ask again (EINTR).</summary>
    Interrupted,

    /// <summary>No capacity, or over quota (ENOSPC, EDQUOT, EFBIG).</summary>
    Full,

    /// <summary>No descriptor left in the process or the system (EMFILE, ENFILE).</summary>
    Shortage,

    /// <summary>Not allowed (EACCES, EPERM, EROFS).</summary>
    Denied,

    /// <summary>Not there (ENOENT, ENOTDIR).</summary>
    Missing,

    /// <summary>There already (EEXIST).</summary>
    Exists,

    /// <summary>Somebody else has it (EWOULDBLOCK).</summary>
    Busy,

    /// <summary>This file system cannot (EOPNOTSUPP, EINVAL of fallocate).</summary>
    Unsupported,

    /// <summary>Something else has the name: a directory, a link, a pipe, a socket, a device.</summary>
    NotAFile,

    /// <summary>The file has no name any more: somebody deleted it, or its folder.</summary>
    Deleted,

    /// <summary>Anything else: the disk (EIO).</summary>
    Broken,
}
