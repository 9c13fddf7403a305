using System;

namespace Transport.Journal;

/// <summary>
/// Writes blocks that are durable when they are complete, several at once and in no order (docs/design/journal.md, "Blocks"). Each is
/// written from a buffer of the writer's own. For one thread
/// at a time, but for <see cref="Wake"/>.
/// </summary>
internal interface IBlockWriter : IDisposable
{
    /// <summary>Gets how many may be in flight.</summary>
    int Count { get; }

    /// <summary>Gets the bytes of a buffer, a multiple of <see cref="Block.Bytes"/>.</summary>
    int BufferBytes { get; }

    /// <summary>Gets a buffer; not to be touched while it is in flight.</summary>
    Span<byte> Buffer(int index);

    /// <summary>Goes on in another file; nothing is in flight.</summary>
    /// <exception cref="StoreException">It cannot be opened for this.</exception>
    void Use(string name);

    /// <summary>Begins to write a buffer: offset and count are multiples of <see cref="Block.Bytes"/>. None is no promise.</summary>
    StoreError Begin(int index, long offset, int count);

    /// <summary>Waits until something that is in flight is over, or somebody wakes this.</summary>
    /// <param name="index">Its buffer.</param>
    /// <param name="error">What it came to: None if all of it is durable.</param>
    /// <returns>False if this was woken.</returns>
    bool Wait(out int index, out StoreError error);

    /// <summary>Lets <see cref="Wait"/> return, now or when it is called next. From any thread.</summary>
    void Wake();
}

/// <summary>The unit of direct writes.</summary>
internal static class Block
{
    public const int Bytes = 4096;

    public static long Up(long bytes) => (bytes + Bytes - 1) & ~(long)(Bytes - 1);
}
