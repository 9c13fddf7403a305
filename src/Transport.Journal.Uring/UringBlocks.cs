namespace Transport.Journal;

/// <summary>Makes writers of blocks that use io_uring.</summary>
internal sealed class UringBlocks : IBlockBackEnd
{
    public IBlockWriter? TryOpen(string directory, int count, int bufferBytes, out string reason) =>
        RingWriter.TryMake(directory, count, bufferBytes, out reason);
}
