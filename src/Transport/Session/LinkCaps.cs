namespace Transport;

/// <summary>The words of <see cref="LinkOptions.Caps"/> that mean something to the link itself (PROTOCOL.md).</summary>
public static class LinkCaps
{
    /// <summary>A text of a log or build packet that comes again is referred to, instead of being written out.</summary>
    public const string Strings = "strings";

    /// <summary>The same for whole maps: properties, metadata.</summary>
    public const string Maps = "maps";
}
