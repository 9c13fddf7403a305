using System;
using System.Buffers;
using Microsoft.IO;

namespace Transport.Loads.Rivals;

/// <summary>Where the links of a load's processes get their memory, by the columns of the scenario <c>buffers</c>.</summary>
internal static class LoadBuffers
{
    /// <summary>The environment variable that names a column other than this library's own pool.</summary>
    public const string Variable = "TRANSPORT_LOAD_BUFFERS";

    /// <summary>A RecyclableMemoryStreamManager.</summary>
    public const string Recyclable = "recyclable";

    /// <summary>ArrayPool.Shared.</summary>
    public const string Shared = "ArrayPool";

    /// <summary>A new array each time.</summary>
    public const string Plain = "arrays";

    /// <summary>Makes what <see cref="Variable"/> names; null: the links' own pools.</summary>
    public static IBufferSource? FromEnvironment() =>
        Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } named ? Make(named) : null;

    public static IBufferSource Make(string column) => column switch
    {
        Recyclable => new RecyclableBufferSource(new RecyclableMemoryStreamManager(new RecyclableMemoryStreamManager.Options
        {
            BlockSize = RecyclableBufferSource.BlockSize, MaximumSmallPoolFreeBytes = 64 << 20, MaximumLargePoolFreeBytes = 64 << 20,
        })),
#pragma warning disable RS0030 // It is measured here.
        Shared => new ArraySource(ArrayPool<byte>.Shared),
#pragma warning restore RS0030
        Plain => new ArraySource(null),
        _ => throw new LoadException($"There is no source of buffers '{column}'."),
    };

    private sealed class ArraySource(ArrayPool<byte>? pool) : IBufferSource
    {
        public RentedBuffer Rent(int atLeast) => new(pool?.Rent(atLeast) ?? new byte[atLeast]);

        public void Return(RentedBuffer buffer) => pool?.Return(buffer.Array);

        public void Trim()
        {
        }
    }
}
