using System;

namespace Transport.Packets.Tables;

/// <summary>Looks at the extensions of a value that is being passed over.</summary>
internal interface IExtensionCheck
{
    /// <summary>An extension stands at an offset, all of it.</summary>
    void At(ReadOnlySpan<byte> data, int offset);
}

/// <summary>Any extension will do.</summary>
internal struct AnyExtension : IExtensionCheck
{
    public readonly void At(ReadOnlySpan<byte> data, int offset)
    {
    }
}

/// <summary>Each reference must be to an entry that was set.</summary>
/// <param name="tables">The entries; null: there are none.</param>
internal struct RefCheck(TableSource? tables) : IExtensionCheck
{
    /// <summary>Gets a value indicating whether there was any reference.</summary>
    public bool Found { get; private set; }

    public void At(ReadOnlySpan<byte> data, int offset)
    {
        if (!TableRef.TryRead(data, offset, out TableRef reference))
        {
            return;
        }

        Found = true;
        bool isSet = tables is not null && reference.Size > 0
            && (reference.Type == TableTypes.StringRef ? tables.TextOf(reference.Id) is not null : tables.MapOf(reference.Id) is not null);
        if (!isSet)
        {
            throw TableSource.Unset(offset, reference);
        }
    }
}
