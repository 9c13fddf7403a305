namespace Transport;

/// <summary>The first bytes of MessagePack values (https://github.com/msgpack/msgpack/blob/master/spec.md) and their names for
/// people.</summary>
internal static class MessagePackCode
{
    public const byte MaxFixInt = 0x7f;
    public const byte FixMap = 0x80;
    public const byte FixArray = 0x90;
    public const byte FixStr = 0xa0;
    public const byte Nil = 0xc0;
    public const byte NeverUsed = 0xc1;
    public const byte False = 0xc2;
    public const byte True = 0xc3;
    public const byte Bin8 = 0xc4;
    public const byte Bin16 = 0xc5;
    public const byte Bin32 = 0xc6;
    public const byte Ext8 = 0xc7;
    public const byte Ext16 = 0xc8;
    public const byte Ext32 = 0xc9;
    public const byte Float32 = 0xca;
    public const byte Float64 = 0xcb;
    public const byte UInt8 = 0xcc;
    public const byte UInt16 = 0xcd;
    public const byte UInt32 = 0xce;
    public const byte UInt64 = 0xcf;
    public const byte Int8 = 0xd0;
    public const byte Int16 = 0xd1;
    public const byte Int32 = 0xd2;
    public const byte Int64 = 0xd3;
    public const byte FixExt1 = 0xd4;
    public const byte FixExt4 = 0xd6;
    public const byte FixExt8 = 0xd7;
    public const byte FixExt16 = 0xd8;
    public const byte Str8 = 0xd9;
    public const byte Str16 = 0xda;
    public const byte Str32 = 0xdb;
    public const byte Array16 = 0xdc;
    public const byte Array32 = 0xdd;
    public const byte Map16 = 0xde;
    public const byte Map32 = 0xdf;
    public const byte MinNegativeFixInt = 0xe0;

    public const sbyte TimestampExt = -1;

    private static readonly string[] Names =
    [
        "nil", "a byte that MessagePack never uses", "false", "true", "bin 8", "bin 16", "bin 32", "ext 8", "ext 16", "ext 32",
        "float 32", "float 64", "uint 8", "uint 16", "uint 32", "uint 64", "int 8", "int 16", "int 32", "int 64",
        "fixext 1", "fixext 2", "fixext 4", "fixext 8", "fixext 16", "str 8", "str 16", "str 32", "array 16", "array 32", "map 16",
            "map 32",
    ];

    public static string NameOf(byte code) => code switch
    {
        <= MaxFixInt => "positive fixint",
        < FixArray => "fixmap",
        < FixStr => "fixarray",
        < Nil => "fixstr",
        < MinNegativeFixInt => Names[code - Nil],
        _ => "negative fixint",
    };

    public static PacketValueKind KindOf(byte code) => code switch
    {
        <= MaxFixInt or >= MinNegativeFixInt or (>= UInt8 and <= Int64) => PacketValueKind.Integer,
        < FixArray or Map16 or Map32 => PacketValueKind.Map,
        < FixStr or Array16 or Array32 => PacketValueKind.Array,
        < Nil or (>= Str8 and <= Str32) => PacketValueKind.String,
        Nil => PacketValueKind.Nil,
        False or True => PacketValueKind.Boolean,
        Float32 or Float64 => PacketValueKind.Float,
        >= Bin8 and <= Bin32 => PacketValueKind.Binary,
        _ => PacketValueKind.Extension,
    };
}
