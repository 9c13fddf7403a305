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
public sealed class RecyclableBufferSource : IBufferSource, IDisposable
{
    /// <summary>The size that a manager's blocks must have, in bytes: that of the largest piece that waits in a link's queue,
    /// 256 KiB.</summary>
    public const int BlockSize = 256 << 10;

    private readonly RecyclableMemoryStreamManager _manager;
    private readonly string _tag;
    private readonly object _lock = new();   // over the counts
    private long _rented;
    private long _misses;

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

        manager.BlockCreated += OnBlockCreated;
        manager.LargeBufferCreated += OnLargeBufferCreated;
    }

    /// <inheritdoc/>
    /// <value>What links have rented here; what the whole manager keeps, and how often it had to allocate since this source was
    /// made.</value>
    public BufferStatistics Statistics
    {
        get
        {
            lock (_lock)
            {
                return new BufferStatistics(_rented, _manager.SmallPoolFreeSize + _manager.LargePoolFreeSize, _misses);
            }
        }
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The manager gives no stream of that capacity
    /// (<c>MaximumStreamCapacity</c>).</exception>
    public RentedBuffer Rent(int atLeast)
    {
        RecyclableMemoryStream stream = _manager.GetStream(_tag, atLeast, asContiguousBuffer: true);
        Count(rented: 1, misses: 0);
        return new RentedBuffer(stream.GetBuffer(), stream);
    }

    /// <inheritdoc/>
    public void Return(RentedBuffer buffer)
    {
        (buffer.Owner as RecyclableMemoryStream)?.Dispose();
        Count(rented: -1, misses: 0);
    }

    /// <summary>Does nothing: what is kept is the manager's business.</summary>
    public void Trim()
    {
    }

    /// <summary>Stops counting what the manager allocates, so that the manager no longer refers to this. Buffers that are out may still be
    /// returned. May be called again.</summary>
    public void Dispose()
    {
        _manager.BlockCreated -= OnBlockCreated;
        _manager.LargeBufferCreated -= OnLargeBufferCreated;
    }

    private void OnBlockCreated(object? sender, RecyclableMemoryStreamManager.BlockCreatedEventArgs e) => Count(rented: 0, misses: 1);

    private void OnLargeBufferCreated(object? sender, RecyclableMemoryStreamManager.LargeBufferCreatedEventArgs e) =>
        Count(rented: 0, misses: 1);

    private void Count(int rented, int misses)
    {
        lock (_lock)
        {
            _rented += rented;
            _misses += misses;
        }
    }
}
