using System.Collections.Generic;

namespace Transport;

/// <summary>A receiver's entries by id, whatever ids the peer chooses: what is allocated depends on how many there are, not on how large an
/// id is.</summary>
internal sealed class PagedSlots<T>
    where T : class
{
    private const int PageBits = 8;
    private const int PageSize = 1 << PageBits;

    private readonly T?[]?[] _pages = new T?[TableTypes.MaxIds >> PageBits][];
    private Dictionary<uint, T>? _high;

    /// <summary>Gets how many ids are set.</summary>
    public int Count { get; private set; }

    public T? this[uint id]
    {
        get
        {
            if (id < TableTypes.MaxIds)
            {
                return _pages[id >> PageBits] is { } page ? page[id & (PageSize - 1)] : null;
            }

            return _high is not null && _high.TryGetValue(id, out T? value) ? value : null;
        }
    }

    /// <summary>Sets an id.</summary>
    /// <returns>What it was, or null.</returns>
    public T? Set(uint id, T value)
    {
        T? before = this[id];
        if (id < TableTypes.MaxIds)
        {
            (_pages[id >> PageBits] ??= new T?[PageSize])[id & (PageSize - 1)] = value;
        }
        else
        {
            (_high ??= [])[id] = value;
        }

        Count += before is null ? 1 : 0;
        return before;
    }
}
