using System;

namespace Transport.Files;

/// <summary>An earlier state of a tree, from which an output may take files over. Safe for any thread.</summary>
internal interface IEarlierTree : IDisposable
{
    /// <summary>Finds a file that equals the one to be written, apart from its bytes, which are not compared yet.</summary>
    /// <remarks>The file must have this user as its owner, the same mode and time, and no further name.</remarks>
    /// <param name="path">The file's path in the tree. A path that leaves the tree or goes through a link finds nothing.</param>
    /// <param name="mode">The mode asked for, before the umask.</param>
    /// <param name="modified">The time.</param>
    /// <param name="length">The length, or null if it is unknown.</param>
    /// <returns>The file, which the caller disposes; null if there is none.</returns>
    IEarlierFile? Find(string path, int mode, FileTime modified, long? length);
}
