using System;

namespace Transport.Files;

/// <summary>Names as UTF-8 in arrays of 64 KiB: a name costs its bytes and nothing else. For one thread at a time.</summary>
internal sealed class NameStore
{
    private const int ChunkBytes = ushort.MaxValue + 1;
    private byte[] _chunk = [];
    private int _used;

    /// <summary>Stores a name, or several one after the other.</summary>
    /// <param name="bytes">At most 64 KiB.</param>
    /// <param name="at">Its start in the array.</param>
    /// <returns>The array.</returns>
    public byte[] Add(ReadOnlySpan<byte> bytes, out ushort at)
    {
        if (_chunk.Length - _used < bytes.Length)
        {
            // The first array is small: most outputs have few directories.
            _chunk = new byte[_chunk.Length == 0 ? ChunkBytes / 64 : ChunkBytes];
            _used = 0;
        }

        at = (ushort)_used;
        bytes.CopyTo(_chunk.AsSpan(_used));
        _used += bytes.Length;
        return _chunk;
    }
}
