namespace Transport.Generator.Model;

/// <summary>How a type travels.</summary>
internal enum TypeShape
{
    /// <summary>One value of MessagePack, by a method of the reader and one of the writer.</summary>
    Scalar,

    /// <summary>A text.</summary>
    Text,

    /// <summary>A type that is cast to a number and back: an enum, a char, a Half.</summary>
    Number,

    /// <summary>One value of MessagePack, by code that converts it.</summary>
    Converted,

    /// <summary>byte[]: bin.</summary>
    Bytes,

    /// <summary>ReadOnlyMemory of byte: bin.</summary>
    Memory,

    /// <summary>A type with a formatter of its own.</summary>
    Object,

    /// <summary>A union: an array of a case's number and its value.</summary>
    Union,

    /// <summary>A value of a field that has a formatter of its own.</summary>
    Own,

    /// <summary>An array, or an interface that an array has.</summary>
    Array,

    /// <summary>A List, or an interface that only a List has.</summary>
    List,

    /// <summary>A Dictionary, or an interface of it.</summary>
    Map,

    /// <summary>An array of pairs (or an interface that it has): a map in their order.</summary>
    PairArray,

    /// <summary>A List of pairs: a map in their order.</summary>
    PairList,

    /// <summary>A HashSet, or an interface of it.</summary>
    Set,

    /// <summary>An IReadOnlyCollection: an array.</summary>
    Items,

    /// <summary>An ImmutableArray.</summary>
    ImmutableArray,

    /// <summary>An ImmutableList.</summary>
    ImmutableList,

    /// <summary>An ImmutableDictionary: a map.</summary>
    ImmutableMap,

    /// <summary>A tuple: an array of its elements.</summary>
    Tuple,
}

/// <summary>A type of a field, an element, a key or a value.</summary>
/// <param name="Shape">How it travels.</param>
/// <param name="Name">The type in code, with its namespace and, if it may be null, its question mark.</param>
/// <param name="Bare">The same without the question mark.</param>
/// <param name="MayBeNull">Whether nil is a value of it.</param>
/// <param name="IsValueType">Whether the bare type is a value type.</param>
/// <param name="Read">The reader's method, for scalars and numbers; the expression that reads a converted value; the type of a field's own
/// formatter.</param>
/// <param name="Write">The writer's method, for scalars and numbers; the statement that writes a converted value, <c>$</c>.</param>
/// <param name="Cast">The type that a number is cast to before it is written.</param>
/// <param name="Key">The type of a map's keys.</param>
/// <param name="Item">The type of the elements or of a map's values.</param>
/// <param name="IsInterface">Whether it is declared as an interface.</param>
/// <param name="Parts">The elements of a tuple.</param>
/// <param name="Default">The value for a packet that lacks it, as code; empty: as its shape says.</param>
internal sealed record TypeModel(
    TypeShape Shape,
    string Name,
    string Bare,
    bool MayBeNull,
    bool IsValueType,
    string Read = "",
    string Write = "",
    string Cast = "",
    TypeModel? Key = null,
    TypeModel? Item = null,
    bool IsInterface = false,
    EquatableArray<TypeModel> Parts = default,
    string Default = "");
