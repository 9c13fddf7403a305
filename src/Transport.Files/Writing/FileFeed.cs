using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>
/// The caller's side of one file. Bytes come in pieces of any size and leave in segments. A full segment takes memory from the budget
/// before it is passed on.
/// </summary>
/// <remarks>
/// Whatever is charged to the budget lies with the writers. So the budget always drains whatever callers do, and files whose bytes come
/// interleaved cannot block each other. In exchange each call in progress has one segment beside the budget; none is kept between two
/// calls. For one caller at a time. <see cref="EndAsync"/>, <see cref="TryTakeOver"/> or <see cref="Abort"/> must end it.
/// </remarks>
internal sealed class FileFeed(OutputCore core, FileJob job, FileEntry entry)
{
    /// <summary>Within the 80 KiB to 1 MiB in which a write is cheapest per byte; larger ones were slower for files up to 10 MB.</summary>
    private const int BlockBytes = 128 << 10;
    private const int LargeBlockBytes = 1 << 20;
    private const long LargeFileBytes = 32L << 20;
    private const string Source = "source";
    private Segment? _block;
    private long _taken;
    private bool _isCharged;
    private bool _isOver;

    /// <summary>Copies bytes and passes them on.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <param name="mode">How the call waits for memory.</param>
    /// <exception cref="TransportException">The output has failed, or the file is longer than announced.</exception>
    public async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, WaitMode mode)
    {
        core.State.ThrowIfFailed();   // before a segment is rented: after a break nobody would return it
        while (!bytes.IsEmpty)
        {
            Segment block = _block ??= core.Segments.Rent(Math.Min(bytes.Length, BlockBytes));
            int count = Math.Min(bytes.Length, block.Capacity - block.Used);
            bytes.Span.Slice(0, count).CopyTo(block.Array.AsSpan(block.Used));
            AddTaken(count);
            ByteMoves.Note("1 file: copied for the writer", count, count);
            bytes = bytes.Slice(count);
            await PassAsync(mode).ConfigureAwait(false);
        }
    }

    /// <summary>Reads a stream to its end.</summary>
    /// <param name="source">The stream.</param>
    /// <param name="mode">How the call waits for memory and for the stream.</param>
    /// <returns>What the stream threw, or null. Failures of the output are thrown.</returns>
    public async ValueTask<Exception?> ReadAsync(Stream source, WaitMode mode)
    {
        byte[] probe = new byte[1];
        using CancellationTokenSource? both = mode.CanBeCancelled
            ? CancellationTokenSource.CreateLinkedTokenSource(mode.CancellationToken, core.Over)
            : null;
        CancellationToken either = both?.Token ?? core.Over;
        while (true)
        {
            bool isFull = _taken == entry.Length; // then only the stream's end is looked for, without memory for more
            core.State.ThrowIfFailed();
            if (!isFull)
            {
                _block ??= core.Segments.Rent(NextSize());
            }

            (byte[] array, int at, int most) = isFull ? (probe, 0, 1) : (_block!.Array, _block.Used, _block.Capacity - _block.Used);
            int count;
            try
            {
                count = await mode.ReadAsync(source, array, at, most, either).ConfigureAwait(false);
            }
            catch (Exception failed)
            {
                if (failed is OperationCanceledException && !mode.CancellationToken.IsCancellationRequested)
                {
                    core.State.ThrowIfFailed();
                }

                return failed;
            }

            if (count < 0 || count > most)
            {
                return new IOException(FormattableString.Invariant(
                    $"the stream says that it has read {count} bytes, where there was capacity for {most}"));
            }

            if (count == 0)
            {
                return null;
            }

            if (isFull)
            {
                throw WrongLength("more");
            }

            AddTaken(count);
            if (_block!.Used == _block.Capacity)
            {
                await PassAsync(mode).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Ends the file after its last byte.</summary>
    /// <param name="mode">How the call waits for memory.</param>
    /// <exception cref="TransportException">The output has failed, or the file is shorter than announced.</exception>
    public async ValueTask EndAsync(WaitMode mode)
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

        await ChargeAsync(OutputCore.LeastCharge + (_block?.Capacity ?? 0), mode).ConfigureAwait(false);
        job.Charge = OutputCore.LeastCharge;
        Leave();
    }

    /// <summary>Ends the file with an earlier file instead of bytes. None was written here.</summary>
    /// <param name="earlier">The earlier file.</param>
    /// <returns>False if it cannot be taken over.</returns>
    public bool TryTakeOver(IEarlierFile earlier)
    {
        if (_isOver || !job.TryTakeOver(earlier))
        {
            return false;
        }

        _isOver = true;
        core.State.AddTakenOver();
        core.State.End();
        return true;
    }

    /// <summary>Ends the file before its last byte: the output fails unless it has failed already.</summary>
    /// <param name="cause">The reason.</param>
    public void Abort(Exception cause)
    {
        if (!_isOver)
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

    private void AddTaken(int count)
    {
        _block!.Used += count;
        _taken += count;
        if (_taken > entry.Length)
        {
            throw WrongLength("more");
        }
    }

    private async ValueTask PassAsync(WaitMode mode)
    {
        Segment block = _block!;
        await ChargeAsync(block.Capacity, mode).ConfigureAwait(false);
        _block = null;
        _isCharged = false;
        job.Add(new Chunk(block), isLast: false);
    }

    /// <summary>Takes memory from the budget. If that fails, the segment still belongs to the feed.</summary>
    private async ValueTask ChargeAsync(long bytes, WaitMode mode)
    {
        core.State.ThrowIfFailed();
        await mode.WaitAsync(core.Budget.TakeAsync(bytes, mode.CancellationToken)).ConfigureAwait(false);
        _isCharged = true;
    }

    /// <summary>Ends the job. A charged segment is its last chunk; one that is not charged holds bytes of a broken file.</summary>
    private void Leave()
    {
        if (_isOver)
        {
            return;
        }

        _isOver = true;
        Segment? block = _block;
        _block = null;
        if (block is not null && !_isCharged)
        {
            core.Segments.Return(block);
            block = null;
        }

        job.Add(block is null ? null : new Chunk(block), isLast: true);
    }

    /// <summary>Fails the output at once, so that the call throws what the receipt says, with the path.</summary>
    private TransportException WrongLength(string actual)
    {
        string message = FormattableString.Invariant($"{entry.Length} bytes were announced, and {actual} came");
        var cause = new TransportException(TransportFault.FileSourceFailed, message);
        Abort(cause);
        return new FileFailure(job.Path, Source, TransportFault.FileSourceFailed, cause).ToException();
    }
}
