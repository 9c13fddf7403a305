using System;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>
/// Compares the bytes of a file with those of an earlier file. At the first difference the bytes that matched go to the
/// <see cref="FileFeed"/>, and so does the rest.
/// </summary>
internal sealed class EarlierFeed(OutputCore core, FileFeed feed, IEarlierFile earlier, string path) : IDisposable
{
    private const int PieceBytes = 128 << 10;

    /// <summary>Compares the next bytes.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <returns>Whether they match, and need not be passed on.</returns>
    /// <exception cref="TransportException">The output has failed.</exception>
    public bool TryMatch(ReadOnlySpan<byte> bytes)
    {
        core.State.ThrowIfFailed();
        Segment piece = core.Segments.Rent(Math.Min(Math.Max(bytes.Length, 1), PieceBytes));
        try
        {
            return earlier.TryMatch(bytes, piece.Array);
        }
        finally
        {
            core.Segments.Return(piece);
        }
    }

    /// <summary>Takes the earlier file over if all of its bytes came and no more.</summary>
    /// <exception cref="TransportException">The output has failed.</exception>
    public bool TryTakeOver()
    {
        core.State.ThrowIfFailed();
        try
        {
            return earlier.IsFullyMatched && feed.TryTakeOver(earlier);
        }
        catch (Exception failed)
        {
            throw Fail(failed, "link");
        }
    }

    /// <summary>Passes on the bytes that matched.</summary>
    /// <param name="mode">How the call waits for memory.</param>
    /// <exception cref="TransportException">The output has failed.</exception>
    public async ValueTask HandOverAsync(WaitMode mode)
    {
        Segment piece = core.Segments.Rent(PieceBytes);
        try
        {
            for (long at = 0; at < earlier.MatchedBytes;)
            {
                int count = Read(at, piece);
                await feed.WriteAsync(piece.Array.AsMemory(0, count), mode).ConfigureAwait(false);
                at += count;
            }
        }
        finally
        {
            core.Segments.Return(piece);
        }

        try
        {
            earlier.ThrowIfChanged();
        }
        catch (FileCallException failed)
        {
            throw Fail(failed, "compare");
        }
    }

    /// <inheritdoc/>
    public void Dispose() => earlier.Dispose();

    private int Read(long at, Segment piece)
    {
        try
        {
            return earlier.ReadMatched(at, piece.Array);
        }
        catch (FileCallException failed)
        {
            throw Fail(failed, "compare");
        }
    }

    private TransportException Fail(Exception failed, string operation)
    {
        FileFailure failure = FileCallException.Failure(path, operation, failed);
        core.Fail(failure);
        return failure.ToException();
    }
}
