using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>The caller's side of one file: bytes come in pieces of any size and leave in segments. A full one needs room in the budget before it is passed on.</summary>
/// <remarks>
/// What is charged to the budget lies with the writers, always: so it drains whatever callers do, and files whose bytes come mixed cannot shut each other out. In exchange
/// each call in progress has one segment beside the budget, and none is kept between two calls. One caller at a time; <see cref="EndAsync"/> or <see cref="Break"/> must come.
/// </remarks>
internal sealed class FileFeed(OutputCore core, FileJob job, FileEntry entry)
{
    /// <summary>Within the 80 KiB to 1 MiB in which a write is cheapest a byte; larger ones were slower for files up to 10 MB.</summary>
    private const int BlockBytes = 128 << 10;
    private const int LargeBlockBytes = 1 << 20;
    private const long LargeFileBytes = 32L << 20;
    private const string Source = "source";
    private Segment? _block;
    private long _taken;
    private bool _isCharged;
    private bool _over;

    /// <summary>Gets or sets a value indicating whether waits and reads block the caller's thread: no task is made then.</summary>
    public bool Blocks { get; set; }

    public async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellation)
    {
        core.State.ThrowIfFailed();   // before a segment is taken: who broke off has given his back
        while (!bytes.IsEmpty)
        {
            Segment block = _block ??= core.Segments.Rent(Math.Min(bytes.Length, BlockBytes));
            int count = Math.Min(bytes.Length, block.Capacity - block.Used);
            bytes.Span.Slice(0, count).CopyTo(block.Array.AsSpan(block.Used));
            Took(count);
            bytes = bytes.Slice(count);
            await PassAsync(cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>Reads a stream to its end.</summary>
    /// <returns>What the stream threw, or null. Failures of the output are thrown.</returns>
    public async ValueTask<Exception?> ReadAsync(Stream source, CancellationToken cancellation)
    {
        byte[] probe = new byte[1];
        using CancellationTokenSource? both = !Blocks && cancellation.CanBeCanceled ? CancellationTokenSource.CreateLinkedTokenSource(cancellation, core.Over) : null;
        CancellationToken either = both?.Token ?? core.Over;
        while (true)
        {
            bool isFull = _taken == entry.Length; // then only its end is looked for, without room for more
            core.State.ThrowIfFailed();
            if (!isFull)
            {
                _block ??= core.Segments.Rent(NextSize());
            }

            (byte[] array, int at, int most) = isFull ? (probe, 0, 1) : (_block!.Array, _block.Used, _block.Capacity - _block.Used);
            int count;
            try
            {
                count = Blocks ? source.Read(array, at, most) : await source.ReadAsync(array, at, most, either).ConfigureAwait(false);
            }
            catch (Exception failed)
            {
                if (failed is OperationCanceledException && !cancellation.IsCancellationRequested)
                {
                    core.State.ThrowIfFailed();
                }

                return failed;
            }

            if (count < 0 || count > most)
            {
                return new IOException(FormattableString.Invariant($"the stream says that it has read {count} bytes, where there was room for {most}"));
            }

            if (count == 0)
            {
                return null;
            }

            if (isFull)
            {
                throw WrongLength("more");
            }

            Took(count);
            if (_block!.Used == _block.Capacity)
            {
                await PassAsync(cancellation).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Says that all bytes are there.</summary>
    public async ValueTask EndAsync(CancellationToken cancellation)
    {
        if (entry.Length is { } length && _taken < length)
        {
            throw WrongLength(FormattableString.Invariant($"{_taken}"));
        }

        if (_block is { Used: 0 } empty)
        {
            core.Segments.Return(empty);
            _block = null;
        }

        await ChargeAsync(OutputCore.LeastCharge + (_block?.Capacity ?? 0), cancellation).ConfigureAwait(false);
        job.Charge = OutputCore.LeastCharge;
        Leave();
    }

    /// <summary>Ends with an earlier file in place of bytes, none of which was written here.</summary>
    /// <returns>False where it cannot be taken over.</returns>
    public bool TryTakeOver(EarlierFile earlier)
    {
        if (_over || !job.TryTakeOver(earlier))
        {
            return false;
        }

        _over = true;
        core.State.TookOver();
        core.State.End();
        return true;
    }

    /// <summary>Says that the bytes will never be complete: the output fails, unless it has already.</summary>
    public void Break(Exception cause)
    {
        if (!_over)
        {
            core.Fail(new FileFailure(job.Path, Source, TransportFault.FileSourceFailed, cause));
            Leave();
        }
    }

    private int NextSize()
    {
        long left = (entry.Length ?? BlockBytes) - _taken;
        return _taken >= LargeFileBytes ? LargeBlockBytes : (int)Math.Min(BlockBytes, Math.Max(left, 1));
    }

    private void Took(int count)
    {
        _block!.Used += count;
        _taken += count;
        if (_taken > entry.Length)
        {
            throw WrongLength("more");
        }
    }

    private async ValueTask PassAsync(CancellationToken cancellation)
    {
        Segment block = _block!;
        await ChargeAsync(block.Capacity, cancellation).ConfigureAwait(false);
        _block = null;
        _isCharged = false;
        job.Add(new Chunk(block), last: false);
    }

    /// <summary>Takes room. Where that fails the segment is still the feed's own.</summary>
    private async ValueTask ChargeAsync(long bytes, CancellationToken cancellation)
    {
        core.State.ThrowIfFailed();
        ValueTask room = core.Budget.TakeAsync(bytes, cancellation);
        if (Blocks)
        {
            MemoryBudget.Block(room);
        }
        else
        {
            await room.ConfigureAwait(false);
        }

        _isCharged = true;
    }

    /// <summary>Ends the job. A segment that is charged is its last chunk; one that is not holds bytes of a file that is broken off.</summary>
    private void Leave()
    {
        if (_over)
        {
            return;
        }

        _over = true;
        Segment? block = _block;
        _block = null;
        if (block is not null && !_isCharged)
        {
            core.Segments.Return(block);
            block = null;
        }

        job.Add(block is null ? null : new Chunk(block), last: true);
    }

    /// <summary>The output fails at once, so that the call throws what the receipt says, with the path.</summary>
    private TransportException WrongLength(string came)
    {
        var cause = new TransportException(TransportFault.FileSourceFailed, FormattableString.Invariant($"{entry.Length} bytes were announced, and {came} came"));
        Break(cause);
        return OutputState.Error(new FileFailure(job.Path, Source, TransportFault.FileSourceFailed, cause));
    }
}
