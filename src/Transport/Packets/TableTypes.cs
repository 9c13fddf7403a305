namespace Transport;

/// <summary>The numbers of the string and map tables (PROTOCOL.md, "Tables").</summary>
internal static class TableTypes
{
    /// <summary>The packet that sets entries of the string table.</summary>
    public const ushort Strings = 259;

    /// <summary>The packet that sets entries of the map table.</summary>
    public const ushort Maps = 260;

    /// <summary>The packet that announces types of applications whose packets refer to the tables.</summary>
    public const ushort Types = 261;

    /// <summary>The first type that refers to tables only once it is announced: from here on they are applications' own.</summary>
    public const int FirstAnnounced = 1024;

    /// <summary>The most ids a table may have.</summary>
    public const int MaxIds = 65_536;

    /// <summary>The most bytes a table may hold: of texts in UTF-8, of maps as they came.</summary>
    public const int MaxBytes = 16 << 20;

    /// <summary>The most types that may be announced in a lane.</summary>
    public const int MaxTypes = 1024;

    /// <summary>Checks whether a type is one of the tables' own packets, which the link itself sends and takes.</summary>
    public static bool IsOne(int type) => type is Strings or Maps or Types;

    /// <summary>Checks whether packets of a type may refer to tables without being announced: below 1024, all but the link's own.</summary>
    public static bool NeedNoAnnouncement(int type) => type < FirstAnnounced && !IsOne(type) && !RequestTypes.IsOne(type);

    /// <summary>Names one of the tables' own packets.</summary>
    public static string NameOf(int type) => type switch { Strings => nameof(Strings), Maps => nameof(Maps), _ => nameof(Types) };
}
