using System;

namespace Transport.Files;

/// <summary>The errors of stagings that both implementations report in the same words.</summary>
internal static class StagingErrors
{
    /// <summary>Creates the error for a parent directory that cannot be opened.</summary>
    /// <param name="reason">The system's reason.</param>
    /// <param name="code">The system's error code.</param>
    public static FileCallException ParentMissing(string reason, int code = 0) =>
        new("staging", TransportFault.FileFailed, $"its parent directory cannot be opened: {reason}", code);

    /// <summary>Creates the error for stagings that other runs remove before they can be locked.</summary>
    public static FileCallException RemovedAtOnce() =>
        new("staging", TransportFault.FileFailed, "each staging was removed by somebody else as soon as it was made");

    /// <summary>Creates the error for a target that exists at the start and may not be replaced.</summary>
    /// <param name="existing">What may be replaced.</param>
    public static FileCallException TargetExists(ExistingTarget existing) => new(
        "publish",
        TransportFault.FileExists,
        existing == ExistingTarget.Refuse ? "it is there already" : "it is there already, and is no empty directory");

    /// <summary>Creates the error for a tree to remove that is a link: whether it or what it leads to was meant is not known.</summary>
    public static FileCallException IsLink() => new(
        "remove", TransportFault.FilePathRefused, "it is a symbolic link: name the directory that it leads to, or remove the link itself");

    /// <summary>Creates the error for a tree to remove that is no directory.</summary>
    public static FileCallException IsNoDirectory() => new("remove", TransportFault.FilePathRefused, "it is no directory");

    /// <summary>Creates the error for a target that appeared while the content grew.</summary>
    /// <param name="code">The system's error code.</param>
    /// <param name="cause">The exception underneath, or null.</param>
    public static FileCallException TargetAppeared(int code = 0, Exception? cause = null) =>
        new("publish", TransportFault.FileExists, "something has appeared there meanwhile", code, cause);

    /// <summary>Creates the error for a staging that is no longer the directory that was created.</summary>
    /// <param name="operation">The operation that noticed it.</param>
    public static FileCallException StagingReplaced(string operation) =>
        new(operation, TransportFault.FileTreeChanged, "somebody replaced or moved the staging while it was filled");

    /// <summary>Creates the error for a publication without content.</summary>
    /// <param name="code">The system's error code.</param>
    public static FileCallException NoContent(int code = 0) => new(
        "publish",
        TransportFault.FileFailed,
        "there is no content to publish, or its parent is gone" + (code == 0 ? string.Empty : " (ENOENT)"),
        code);

    /// <summary>Creates the error for a published target whose name could not be synced.</summary>
    /// <param name="reason">The system's reason.</param>
    /// <param name="code">The system's error code.</param>
    /// <param name="cause">The exception underneath, or null.</param>
    public static FileCallException NameNotSynced(string reason, int code, Exception? cause = null) => new(
        "sync",
        TransportFault.FileFailed,
        $"it stands there, and may not after a power cut, because its name could not be synced: {reason}",
        code,
        cause);

    /// <summary>Creates the error for a directory that cannot be replaced, because its file system does not exchange two names.</summary>
    /// <param name="code">The system's error code.</param>
    public static FileCallException NoExchange(int code) => new(
        "publish",
        TransportFault.FileFailed,
        "a directory is there, and this file system cannot exchange two directories in one step (RENAME_EXCHANGE), as some of FUSE and "
            + "network file systems cannot. Remove it first, or publish under a new name that a symbolic link leads to",
        code);

    /// <summary>Creates the error for content that is nested too deeply to be synced.</summary>
    public static FileCallException TooDeep() => new("sync", TransportFault.FileFailed, "the tree is too deep to be synced");
}
