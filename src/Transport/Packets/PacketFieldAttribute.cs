using System;

namespace Transport;

/// <summary>Marks a field of a packet: gives it its place, or a formatter of its own. A member that is not public travels only with this
/// attribute.</summary>
/// <remarks>
/// <para>Places are needed if the order of declaration shall not count. Either every field of a type has a place or none has.</para>
/// <para>A formatter is for a type that cannot travel otherwise or needs another form. It writes the field as exactly one MessagePack
/// value. One instance serves all threads. If the field may be null, null travels as nil and does not reach the formatter. A field that a
/// packet lacks gets null or the type's default, so the field is nullable, a value type, or has an initializer.</para>
/// </remarks>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field | AttributeTargets.Parameter)]
public sealed class PacketFieldAttribute : Attribute
{
    /// <summary>Initializes a new instance of the <see cref="PacketFieldAttribute"/> class for a field in declaration order.</summary>
    public PacketFieldAttribute()
    {
    }

    /// <summary>Initializes a new instance of the <see cref="PacketFieldAttribute"/> class for a field with a place.</summary>
    /// <param name="index">The place in the MessagePack array, from 0 and without gaps. It never changes: fields are only ever added at the
    /// end.</param>
    public PacketFieldAttribute(int index) => Index = index;

    /// <summary>Gets the place in the array; null: that of the declaration.</summary>
    public int? Index { get; }

    /// <summary>Gets or sets the type of the field's own formatter; null (the default): none.</summary>
    /// <value>A class or struct that implements <see cref="IPacketFormatter{T}"/> for the field's type and has a public constructor without
    /// parameters.</value>
    public Type? Formatter { get; set; }
}
