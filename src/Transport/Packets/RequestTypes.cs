namespace Transport;

/// <summary>The packet types of requests (PROTOCOL.md, "Requests"); the link handles them itself.</summary>
internal static class RequestTypes
{
    public const ushort Request = 272;
    public const ushort Response = 273;
    public const ushort Cancel = 274;
    public const ushort Item = 275;
    public const ushort Credit = 276;

    /// <summary>Checks whether somebody waits for a packet of the type; of a stream's items many are on their way.</summary>
    public static bool IsAwaited(int type) => IsOne(type) && type != Item;

    public static bool IsOne(int type) => type is >= Request and <= Credit;
}
