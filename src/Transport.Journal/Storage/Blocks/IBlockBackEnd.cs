namespace Transport.Journal;

/// <summary>
/// Opens writers of blocks. The package Transport.Journal.Uring has the one that uses io_uring. A journal without it writes and syncs
/// files.
/// </summary>
internal interface IBlockBackEnd
{
    /// <summary>Opens a writer and tries it on the directory's file system.</summary>
    /// <param name="directory">The journal's directory; it may be missing.</param>
    /// <param name="count">How many blocks may be in flight.</param>
    /// <param name="bufferBytes">The bytes of a buffer.</param>
    /// <param name="reason">Why there is none, to go on after "because"; empty if there is one.</param>
    /// <returns>The writer, owned by the caller; null if there is none.</returns>
    IBlockWriter? TryOpen(string directory, int count, int bufferBytes, out string reason);
}
