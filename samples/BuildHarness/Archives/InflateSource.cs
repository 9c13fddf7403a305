using System;

namespace BuildHarness.Archives;

/// <summary>
/// Feeds an inflater from a file so that its end is known to the byte. The runtime's inflater does not say how much of its input it has
/// used; but it asks for more only when it has used all of it and the compressed data has not ended. So the last byte of where the end
/// should be goes in alone: asked for, and nothing after it, the data ends exactly there.
/// </summary>
/// <param name="file">Read from <paramref name="start"/> on.</param>
/// <param name="start">Where the compressed data begins.</param>
/// <param name="single">From where on bytes go in one by one.</param>
/// <param name="end">Where it should end, or has to have ended.</param>
internal sealed class InflateSource(ArchiveFile file, long start, long single, long end) : ForwardStream
{
    /// <summary>Gets the place behind the last byte that was handed over.</summary>
    public long Handed { get; private set; } = start;

    /// <summary>Gets the place from which the last piece was handed over.</summary>
    public long LastPiece { get; private set; } = start;

    /// <summary>Gets a value indicating whether more was asked for than there is up to the end: the data goes on, or is cut off.</summary>
    public bool AskedBeyond { get; private set; }

    public override int Read(Span<byte> buffer)
    {
        long left = Handed < single ? single - Handed : Math.Min(1, end - Handed);
        if (left <= 0)
        {
            AskedBeyond = true;
            return 0;
        }

        file.Position = Handed;
        int read = file.Read(buffer[..(int)Math.Min(buffer.Length, left)]);
        AskedBeyond |= read == 0;
        LastPiece = Handed;
        Handed += read;
        return read;
    }
}
