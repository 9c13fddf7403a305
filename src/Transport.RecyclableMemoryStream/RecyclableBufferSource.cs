using System;
using Microsoft.IO;

namespace Transport;

/// <summary>Gives links the blocks of a <see cref="RecyclableMemoryStreamManager"/> that the application has already
/// (https://github.com/microsoft/Microsoft.IO.RecyclableMemoryStream): one budget, and one set of events and counters, for its streams and
/// for packets.</summary>
/// <remarks>
/// <para>Pass one to <see cref="LinkOptions.Buffers"/> of every link and listener of the process. Every buffer up to 256 KiB is one block;
/// what is larger, a large packet as it is put together, is one of the manager's large buffers.</para>
/// <para>An idle link then holds one block of 256 KiB to read into, where a link with a pool of its own holds 4 KiB. How much is kept, the
/// manager says: set its <c>MaximumSmallPoolFreeBytes</c> and <c>MaximumLargePoolFreeBytes</c>; 0 is no limit.</para>
/// <para>Safe from any thread.</para>
/// </remarks>
public sealed class RecyclableBufferSource : IBufferSource
{
    /// <summary>The size that a manager's blocks must have, in bytes: that of the largest piece that waits in a link's queue,
    /// 256 KiB.</summary>
    public const int BlockSize = 256 << 10;

    private readonly RecyclableMemoryStreamManager _manager;
    private readonly string _tag;

    /// <summary>Initializes a new instance of the <see cref="RecyclableBufferSource"/> class.</summary>
    /// <param name="manager">The manager, which stays the caller's. Its events may be raised under locks of a link: what handles them
    /// sends nothing.</param>
    /// <param name="tag">What its events name these buffers by.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">The manager's blocks have another size than <see cref="BlockSize"/>.</exception>
    public RecyclableBufferSource(RecyclableMemoryStreamManager manager, string tag = "Transport")
    {
        _manager = manager ?? throw new ArgumentNullException(nameof(manager));
        _tag = tag ?? throw new ArgumentNullException(nameof(tag));
        if (manager.Settings.BlockSize != BlockSize)
        {
            throw new ArgumentException(
                $"The manager's blocks have {manager.Settings.BlockSize} bytes, and links need {BlockSize}: make it with "
                    + "new RecyclableMemoryStreamManager.Options { BlockSize = RecyclableBufferSource.BlockSize, … }.",
                nameof(manager));
        }
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The manager gives no stream of that capacity
    /// (<c>MaximumStreamCapacity</c>).</exception>
    public RentedBuffer Rent(int atLeast)
    {
        RecyclableMemoryStream stream = _manager.GetStream(_tag, atLeast, asContiguousBuffer: true);
        return new RentedBuffer(stream.GetBuffer(), stream);
    }

    /// <inheritdoc/>
    public void Return(RentedBuffer buffer) => (buffer.Owner as RecyclableMemoryStream)?.Dispose();

    /// <summary>Does nothing: what is kept is the manager's business.</summary>
    public void Trim()
    {
    }
}
