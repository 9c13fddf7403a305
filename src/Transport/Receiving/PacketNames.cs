using System.Collections.Generic;
using System.Linq;

namespace Transport;

/// <summary>Names packet types for people: as the options name them, the link's own, as the router's handlers do, then as the peer
/// does.</summary>
internal static class PacketNames
{
    /// <summary>Names a packet type: as this side knows it, else as the peer names it, else by its number.</summary>
    /// <returns>The name, fit for a terminal; <c>type 1024</c> if nobody has one.</returns>
    public static string Of(ushort type, IReadOnlyList<PacketType> known, PacketRouter router,
        IReadOnlyDictionary<ushort, string>? peers)
    {
        if (known.FirstOrDefault(one => one.Id == type) is { } named)
        {
            return named.Name;
        }

        string? own = type switch
        {
            TableTypes.Strings or TableTypes.Maps or TableTypes.Types => TableTypes.NameOf(type),
            RequestTypes.Request => nameof(RequestTypes.Request),
            RequestTypes.Response => nameof(RequestTypes.Response),
            RequestTypes.Cancel => nameof(RequestTypes.Cancel),
            RequestTypes.Item => nameof(RequestTypes.Item),
            RequestTypes.Credit => nameof(RequestTypes.Credit),
            _ => null,
        };
        string name = own ?? router.NameOf(type);
        if (name == $"type {type}" && peers is not null && peers.TryGetValue(type, out string? theirs) && theirs.Length > 0)
        {
            return TerminalText.Line(theirs);
        }

        string number = $" ({type})";
        return name.EndsWith(number, System.StringComparison.Ordinal) ? name.Substring(0, name.Length - number.Length) : name;
    }
}
