namespace Transport;

/// <summary>The numbers of the string and map tables (PROTOCOL.md, "Log packets").</summary>
internal static class TableTypes
{
    /// <summary>The packet that sets entries of the string table.</summary>
    public const ushort Strings = 259;

    /// <summary>The packet that sets entries of the map table.</summary>
    public const ushort Maps = 260;

    /// <summary>The extension that stands for a text.</summary>
    public const sbyte StringRef = 1;

    /// <summary>The extension that stands for a map.</summary>
    public const sbyte MapRef = 2;

    /// <summary>The most ids a table may have.</summary>
    public const int MaxIds = 65_536;

    /// <summary>The most bytes a table may hold: of texts in UTF-8, of maps as they came.</summary>
    public const int MaxBytes = 16 << 20;

    private const int FirstLog = 256, LastLog = 258, FirstBuild = 512, LastBuild = 575;

    /// <summary>Says whether a type is one of the tables' own packets, which the link itself sends and takes.</summary>
    public static bool IsOne(int type) => type is Strings or Maps;

    /// <summary>Says whether packets of a type may refer to the tables: log and build packets alone, so that an extension of anybody else's packets stays theirs.</summary>
    public static bool MayRefer(int type) => type is (>= FirstLog and <= LastLog) or (>= FirstBuild and <= LastBuild);
}
