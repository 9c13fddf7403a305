using System;
using System.Buffers;
using System.IO.Compression;

namespace Transport.Nats;

/// <summary>The codec of blocks.</summary>
internal static class Brotli
{
    /// <summary>The quickest but one: what a build's events gain by more, a shipper's CPU pays many times.</summary>
    private const int Quality = 1;

    private const int Window = 18;

    /// <summary>Compresses content, if that saves an eighth of it.</summary>
    /// <param name="content">The content.</param>
    /// <param name="to">Where it goes; as long as the content is enough.</param>
    /// <param name="written">How long it is then.</param>
    public static bool TryCompress(ReadOnlySpan<byte> content, Span<byte> to, out int written) =>
        BrotliEncoder.TryCompress(content, to[..(content.Length - (content.Length / 8))], out written, Quality, Window);

    /// <summary>Takes compressed content apart.</summary>
    /// <param name="compressed">The stream.</param>
    /// <param name="claimed">How long its content is said to be; no more is written, and memory grows with what has come.</param>
    /// <param name="pool">Gives the memory.</param>
    /// <param name="content">The content, rented from the pool; the caller's.</param>
    /// <returns>Whether it was whole and as long as claimed.</returns>
    public static bool TryDecompress(ReadOnlySpan<byte> compressed, int claimed, ArrayPool<byte> pool, out byte[] content)
    {
        content = pool.Rent(Math.Min(claimed, 256 << 10));
        var decoder = default(BrotliDecoder);
        try
        {
            return TryDecompress(ref decoder, compressed, claimed, pool, ref content);
        }
        finally
        {
            decoder.Dispose();
        }
    }

    private static bool TryDecompress(
        ref BrotliDecoder decoder, ReadOnlySpan<byte> compressed, int claimed, ArrayPool<byte> pool, ref byte[] content)
    {
        int used = 0;
        while (true)
        {
            Span<byte> free = content.AsSpan(used, Math.Min(content.Length, claimed) - used);
            OperationStatus status = decoder.Decompress(compressed, free, out int consumed, out int written);
            used += written;
            compressed = compressed[consumed..];
            if (status == OperationStatus.Done)
            {
                return used == claimed && compressed.IsEmpty;
            }

            if (status != OperationStatus.DestinationTooSmall || used >= claimed)
            {
                return false;
            }

            byte[] larger = pool.Rent((int)Math.Min(claimed, content.Length * 2L));
            content.AsSpan(0, used).CopyTo(larger);
            pool.Return(content);
            content = larger;
        }
    }
}
