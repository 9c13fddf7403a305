using System;

namespace Transport.Files;

/// <summary>Names as UTF-8, one behind the other in arrays of 64 KiB: a name costs its bytes and nothing else. Not safe for several threads.</summary>
internal sealed class NameStore
{
    private const int ChunkBytes = ushort.MaxValue + 1;
    private byte[] _chunk = [];
    private int _used;

    /// <summary>Keeps a name, or several behind each other.</summary>
    /// <param name="bytes">At most 64 KiB.</param>
    /// <param name="at">Where it begins in what is returned.</param>
    public byte[] Add(ReadOnlySpan<byte> bytes, out ushort at)
    {
        if (_chunk.Length - _used < bytes.Length)
        {
            // The first is small: most outputs have few directories.
            _chunk = new byte[_chunk.Length == 0 ? ChunkBytes / 64 : ChunkBytes];
            _used = 0;
        }

        at = (ushort)_used;
        bytes.CopyTo(_chunk.AsSpan(_used));
        _used += bytes.Length;
        return _chunk;
    }
}
