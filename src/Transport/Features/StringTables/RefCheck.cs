using System;

namespace Transport;

/// <summary>Looks at the extensions of a value that is being passed over, and at how deep it is nested.</summary>
internal interface IExtensionCheck
{
    /// <summary>An extension stands at an offset, all of it, in so many arrays and maps.</summary>
    void At(ReadOnlySpan<byte> data, int offset, int depth);

    /// <summary>An array or map begins, the outermost with depth 1.</summary>
    void Enter(int depth);
}

/// <summary>Any extension will do.</summary>
internal struct AnyExtension : IExtensionCheck
{
    public readonly void At(ReadOnlySpan<byte> data, int offset, int depth)
    {
    }

    public readonly void Enter(int depth)
    {
    }
}

/// <summary>Finds how many arrays and maps stand inside each other.</summary>
internal struct DepthCheck : IExtensionCheck
{
    /// <summary>Gets the most so far.</summary>
    public int Deepest { get; private set; }

    public readonly void At(ReadOnlySpan<byte> data, int offset, int depth)
    {
    }

    public void Enter(int depth) => Deepest = Math.Max(Deepest, depth);
}

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
        bool isSet = tables is not null && reference.Size > 0 && (reference.Type == TableTypes.StringRef
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
