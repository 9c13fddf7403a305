namespace Transport.Generator.Model;

/// <summary>All that the code of one type is written from. Holds nothing of the compiler's and no place in a file, so that an edit
/// elsewhere leaves it equal.</summary>
/// <param name="Shell">The declarations that the code stands in.</param>
/// <param name="IsValueType">Whether it cannot be null.</param>
/// <param name="Header">What makes it a packet; null for a value that packets hold.</param>
/// <param name="Fields">The fields in the order of the wire.</param>
/// <param name="Arguments">For each parameter of the constructor the index of its field.</param>
/// <param name="UsesForbidden">Whether something that it uses is Obsolete as an error: allowed only in what is Obsolete itself.</param>
internal sealed record PacketModel(
    ShellModel Shell,
    bool IsValueType,
    PacketHeader? Header,
    EquatableArray<FieldModel> Fields,
    EquatableArray<int> Arguments,
    bool UsesForbidden);

/// <summary>What a packet has and a nested value has not.</summary>
/// <param name="Id">The number on the wire.</param>
/// <param name="Name">The name for people.</param>
/// <param name="Lane">The name of the lane.</param>
/// <param name="Level">The property that reports the level, as it is written in code, or null.</param>
/// <param name="Tables">Whether it uses the link's tables.</param>
/// <param name="Requests">The interfaces of the requests that it is, as they are written in code.</param>
internal sealed record PacketHeader(int Id, string Name, string Lane, string? Level, bool Tables, EquatableArray<string> Requests);

/// <summary>One field.</summary>
/// <param name="Name">The member's name, without the @ that may stand before it in code.</param>
/// <param name="Code">The member as it is written in code.</param>
/// <param name="Type">Its type.</param>
/// <param name="IsSet">Whether it is set behind the constructor, in the object initializer.</param>
/// <param name="Default">The value for a packet that lacks it, as code; null: the type's own.</param>
/// <param name="HasInitializer">Whether a fresh object brings a value of its own.</param>
/// <param name="IsRequired">Whether every initializer must name it.</param>
internal sealed record FieldModel(
    string Name, string Code, TypeModel Type, bool IsSet, string? Default, bool HasInitializer, bool IsRequired);
