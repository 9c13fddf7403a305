using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Transport.Buffers;

namespace Transport.Files.Writing;

/// <summary>The caller's side of one file: bytes come in pieces of any size and leave in segments, each with its room taken from the budget before.</summary>
/// <remarks>One caller at a time. <see cref="End"/> or <see cref="Break"/> must come, whatever happened before.</remarks>
internal sealed class FileFeed(OutputCore core, FileJob job, FileEntry entry)
{
    /// <summary>Within the 80 KiB to 1 MiB in which a write is cheapest a byte; larger ones were slower for files up to 10 MB.</summary>
    private const int BlockBytes = 128 << 10;
    private const int LargeBlockBytes = 1 << 20;
    private const long LargeFileBytes = 32L << 20;
    private Segment? _block;
    private long _taken;
    private bool _over;

    /// <summary>Gets or sets a value indicating whether waits and reads block the caller's thread: no task is made then.</summary>
    public bool Blocks { get; set; }

    public async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellation)
    {
        while (!bytes.IsEmpty)
        {
            await EnsureRoomAsync(cancellation).ConfigureAwait(false);
            int count = Math.Min(bytes.Length, _block!.Capacity - _block.Used);
            bytes.Span.Slice(0, count).CopyTo(_block.Array.AsSpan(_block.Used));
            Took(count);
            bytes = bytes.Slice(count);
        }
    }

    /// <summary>Reads a stream to its end.</summary>
    /// <returns>What the stream threw, or null. Failures of the output are thrown.</returns>
    public async ValueTask<Exception?> ReadAsync(Stream source, CancellationToken cancellation)
    {
        byte[] probe = new byte[1];
        while (true)
        {
            bool isFull = _taken == entry.Length; // then only its end is looked for, without room for more
            if (!isFull)
            {
                await EnsureRoomAsync(cancellation).ConfigureAwait(false);
            }

            (byte[] array, int at, int most) = isFull ? (probe, 0, 1) : (_block!.Array, _block.Used, _block.Capacity - _block.Used);
            int count;
            try
            {
                count = Blocks ? source.Read(array, at, most) : await source.ReadAsync(array, at, most, cancellation).ConfigureAwait(false);
            }
            catch (Exception failed)
            {
                return failed;
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
        }
    }

    /// <summary>Says that all bytes are there.</summary>
    public void End()
    {
        if (entry.Length is { } length && _taken < length)
        {
            throw WrongLength(FormattableString.Invariant($"{_taken}"));
        }

        Leave();
    }

    /// <summary>Says that the bytes will never be complete: the output fails, unless it has already.</summary>
    public void Break(Exception cause)
    {
        if (!_over)
        {
            core.Fail(new FileFailure(job.Path, "source", TransportFault.FileSourceFailed, cause));
            Leave();
        }
    }

    private void Leave()
    {
        if (!_over)
        {
            _over = true;
            Chunk? last = Pass();
            job.Add(last, last: true);
        }
    }

    private void Took(int count)
    {
        _block!.Used += count;
        _taken += count;
        if (_taken > entry.Length)
        {
            throw WrongLength("more");
        }

        if (_block.Used == _block.Capacity)
        {
            job.Add(Pass(), last: false);
        }
    }

    private Chunk? Pass()
    {
        if (_block is not { } block)
        {
            return null;
        }

        _block = null;
        if (block.Used == 0)
        {
            core.Segments.Return(block);
            core.Budget.Give(block.Capacity);
            return null;
        }

        return new Chunk(block);
    }

    private async ValueTask EnsureRoomAsync(CancellationToken cancellation)
    {
        core.State.ThrowIfFailed();
        if (_block is not null)
        {
            return;
        }

        long left = (entry.Length ?? BlockBytes) - _taken;
        int size = _taken >= LargeFileBytes ? LargeBlockBytes : (int)Math.Min(BlockBytes, Math.Max(left, 1));
        ValueTask room = core.Budget.TakeAsync(OutputCore.RoomFor(size), cancellation);
        if (Blocks)
        {
            room.AsTask().GetAwaiter().GetResult();
        }
        else
        {
            await room.ConfigureAwait(false);
        }

        _block = core.Segments.Rent(size);
        core.State.ThrowIfFailed();
    }

    private TransportException WrongLength(string came) => new(TransportFault.FileSourceFailed, FormattableString.Invariant($"{entry.Length} bytes were announced, and {came} came"));
}
