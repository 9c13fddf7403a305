namespace Transport;

/// <summary>Names packet types for people: as the registry has them, then as the router's handlers do, then the link's own.</summary>
internal static class PacketNames
{
    public static string Of(ushort type, PacketRegistry? registry, PacketRouter router)
    {
        if (registry is not null && registry.TryGet(type, out PacketType? known))
        {
            return known.Name;
        }

        string? own = type switch
        {
            TableTypes.Strings or TableTypes.Maps or TableTypes.Types => TableTypes.NameOf(type),
            RequestTypes.Request => nameof(RequestTypes.Request),
            RequestTypes.Answer => nameof(RequestTypes.Answer),
            RequestTypes.Cancel => nameof(RequestTypes.Cancel),
            _ => null,
        };
        string name = own ?? router.NameOf(type);
        string number = $" ({type})";
        return name.EndsWith(number, System.StringComparison.Ordinal) ? name.Substring(0, name.Length - number.Length) : name;
    }
}
