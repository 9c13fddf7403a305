using System;

namespace Transport;

/// <summary>Each reference must be to an entry that was set.</summary>
/// <param name="tables">The entries; null: there are none.</param>
internal struct RefCheck(TableSource? tables) : IExtensionCheck
{
    /// <summary>Gets a value indicating whether there was any reference.</summary>
    public bool Found { get; private set; }

    /// <summary>Gets a value indicating whether the value is nested too deep once its maps stand in it.</summary>
    public bool IsDeep { get; private set; }

    public readonly void Enter(int depth)
    {
    }

    public void At(ReadOnlySpan<byte> data, int offset, int depth)
    {
        if (!TableRef.TryRead(data, offset, out TableRef reference))
        {
            return;
        }

        Found = true;
        bool isSet = tables is not null && reference.Size > 0 && (reference.Type == TableRef.String
            ? tables.TextOf(reference.Id) is not null : IsSet(tables.MapOf(reference.Id), depth));
        if (!isSet)
        {
            throw TableSource.Unset(offset, reference);
        }
    }

    private bool IsSet(TableMap? map, int depth)
    {
        IsDeep |= map is not null && depth + map.Depth > MessagePackValue.MaxDepth;
        return map is not null;
    }
}
