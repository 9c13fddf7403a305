using System;

namespace Transport;

/// <summary>The words of <see cref="LinkOptions.Caps"/> that mean something to the link itself (PROTOCOL.md).</summary>
public static class LinkCaps
{
    /// <summary>A text that comes again is referred to, instead of being written out, in packets whose type asks for it.</summary>
    public const string Strings = "strings";

    /// <summary>The same for whole maps: properties, metadata.</summary>
    public const string Maps = "maps";

    /// <summary>The same in packets of applications (types from 1024 on), beside <see cref="Strings"/> or <see cref="Maps"/>: each type
    /// that asks for it is announced before its first packet.</summary>
    public const string Tables = "tables";

    /// <summary>Finds out what both sides can do with tables.</summary>
    /// <param name="isAgreed">Says whether both sides have a capability.</param>
    internal static TableCaps FindTables(Func<string, bool> isAgreed) => new(isAgreed(Strings), isAgreed(Maps), isAgreed(Tables));
}
