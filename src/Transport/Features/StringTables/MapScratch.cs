using System;
using System.Buffers;

namespace Transport;

/// <summary>Where a map is written to before it is known whether the peer has it. What grows too large for a table flows on to the packet's
/// own buffer.</summary>
internal sealed class MapScratch : IBufferWriter<byte>
{
    /// <summary>The largest map of a table, in bytes.</summary>
    public const int Largest = 16 << 10;

    private byte[] _bytes = [];
    private int _length;
    private IBufferWriter<byte>? _spill;
    private IBufferWriter<byte>? _behind;

    /// <summary>Gets a value indicating whether a map is being written.</summary>
    public bool IsOpen => _behind is not null;

    /// <summary>Gets the map, or nothing if it was too large and stands in the packet already.</summary>
    public ReadOnlySpan<byte> Map => _spill is null ? _bytes.AsSpan(0, _length) : default;

    public void Open(IBufferWriter<byte> behind)
    {
        _behind = behind;
        _spill = null;
        _length = 0;
    }

    public void Close() => _behind = null;

    public void Advance(int count)
    {
        if (_spill is not null)
        {
            _spill.Advance(count);
            return;
        }

        if ((uint)count > (uint)(_bytes.Length - _length))
        {
            throw new ArgumentOutOfRangeException(nameof(count), count, "More bytes than the span that was given holds.");
        }

        _length += count;
    }

    public Memory<byte> GetMemory(int sizeHint = 0) => Fits(sizeHint) ? _bytes.AsMemory(_length) : _spill!.GetMemory(sizeHint);

    public Span<byte> GetSpan(int sizeHint = 0) => Fits(sizeHint) ? _bytes.AsSpan(_length) : _spill!.GetSpan(sizeHint);

    private bool Fits(int sizeHint)
    {
        if (_spill is not null)
        {
            return false;
        }

        int need = _length + Math.Max(sizeHint, 1);
        if (need <= _bytes.Length)
        {
            return true;
        }

        if (need <= Largest)
        {
            Array.Resize(ref _bytes, Math.Min(Largest, Math.Max(1024, Math.Max(need, _bytes.Length * 2))));
            return true;
        }

        _spill = _behind!;
        _spill.Write(_bytes.AsSpan(0, _length));
        return false;
    }
}
