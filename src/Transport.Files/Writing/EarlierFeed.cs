using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>Stands before a <see cref="FileFeed"/> as long as what comes is what an earlier file has. With the first difference it hands over what was the same, and stands aside.</summary>
internal sealed class EarlierFeed(OutputCore core, FileFeed feed, EarlierFile earlier, string path) : IDisposable
{
    private const int PieceBytes = 128 << 10;

    /// <summary>Compares what comes next.</summary>
    /// <returns>Whether it is the same, and need not be handed on.</returns>
    public bool Takes(ReadOnlySpan<byte> bytes)
    {
        core.State.ThrowIfFailed();
        Segment piece = core.Segments.Rent(Math.Min(Math.Max(bytes.Length, 1), PieceBytes));
        try
        {
            return earlier.GoesOn(bytes, piece.Array);
        }
        finally
        {
            core.Segments.Return(piece);
        }
    }

    /// <summary>Takes the earlier file over, where all its bytes came and no more.</summary>
    /// <exception cref="TransportException">The output has failed.</exception>
    public bool TryEnd()
    {
        core.State.ThrowIfFailed();
        try
        {
            return earlier.IsWhole && feed.TryTakeOver(earlier);
        }
        catch (Exception failed)
        {
            throw Fail(failed, "link");
        }
    }

    /// <summary>Hands on what was the same.</summary>
    /// <exception cref="TransportException">The output has failed.</exception>
    public async ValueTask HandOverAsync(CancellationToken cancellation)
    {
        Segment piece = core.Segments.Rent(PieceBytes);
        try
        {
            for (long at = 0; at < earlier.Same;)
            {
                int count = Read(at, piece);
                await feed.WriteAsync(piece.Array.AsMemory(0, count), cancellation).ConfigureAwait(false);
                at += count;
            }
        }
        finally
        {
            core.Segments.Return(piece);
        }

        try
        {
            earlier.CheckUnchanged();
        }
        catch (FileCallException failed)
        {
            throw Fail(failed, "compare");
        }
    }

    public void Dispose() => earlier.Dispose();

    private int Read(long at, Segment piece)
    {
        try
        {
            return earlier.ReadSame(at, piece.Array);
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
        return OutputState.Error(failure);
    }
}
