using System;

namespace Transport;

/// <summary>Where links get the memory in which packets are written, queued and put together: a pool that the application has already, so
/// that one budget holds for the whole process. Without one each link or listener has a pool of its own, which is the fastest.</summary>
/// <remarks>
/// <para>Safe for any thread: memory is mostly given back on another thread than the one that rented it. <see cref="Rent"/> and
/// <see cref="Return"/> are called under locks of the link, so they wait for nothing and send nothing, on no link.</para>
/// <para>A link writes into memory between the two calls alone; a sent buffer comes back after its write has completed. Buffers are
/// asked for by size, 4 KiB to 256 KiB (of a large packet as it is put together: up to
/// <see cref="LinkOptions.MaxPacketBytes"/>), and each holds many packets, so a rent is rare: about one for each 64 to 256 KiB.</para>
/// </remarks>
public interface IBufferSource
{
    /// <summary>Rents memory.</summary>
    /// <param name="atLeast">The least size in bytes, 4,096 or more. More is used if there is more.</param>
    /// <returns>The memory; its content is arbitrary. Nobody else has it until it is given back.</returns>
    /// <remarks>What it throws ends the send that asked for it, or the link that reads.</remarks>
    RentedBuffer Rent(int atLeast);

    /// <summary>Takes memory back, once. It must not throw.</summary>
    /// <param name="buffer">What <see cref="Rent"/> gave; the link does not touch it any more.</param>
    void Return(RentedBuffer buffer);

    /// <summary>Frees what nobody needed lately. Called every few seconds by each link or listener; nothing has to be done.</summary>
    void Trim();
}

/// <summary>Memory that was rented.</summary>
/// <param name="Array">The bytes, from the first on.</param>
/// <param name="Owner">Whatever the source needs to take it back, or null.</param>
public readonly record struct RentedBuffer(byte[] Array, object? Owner = null);
