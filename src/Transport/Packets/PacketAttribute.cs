using System;

namespace Transport;

/// <summary>Makes a partial record, class or struct a packet: Transport.Generator writes its formatter and a static property
/// <c>PacketType</c>, which is what links and routers take.</summary>
/// <remarks>
/// <para>Its fields are its public properties that can be set, in the order of their declaration (or of
/// <see cref="PacketFieldAttribute"/>), as one MessagePack array. Only ever add fields at the end: readers give what an older writer does
/// not know its default, and skip what a newer one has added.</para>
/// <para>What the generator cannot do is a compiler error (TRANSPORT001 and on) at the line in question.</para>
/// </remarks>
/// <param name="id">The number on the wire: 1024 to 65535 for applications. Unique within what a node handles.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
public sealed class PacketAttribute(int id) : Attribute
{
    /// <summary>Gets the number on the wire.</summary>
    public int Id { get; } = id;

    /// <summary>Gets or sets the name shown to people, in errors and counters; null (the default): the name of the type.</summary>
    public string? Name { get; set; }

    /// <summary>Gets or sets the lane used if a send names none: Urgent, Normal (the default) or Bulk.</summary>
    public Lane Lane { get; set; } = Lane.Normal;

    /// <summary>Gets or sets the name of the property that holds a packet's log level, for the counts of what was dropped; null (the
    /// default): the packets have none.</summary>
    /// <remarks>The property is a <see cref="PacketLevel"/>, or an integer or another enum with its numbers, such as LogLevel.</remarks>
    public string? LevelProperty { get; set; }

    /// <summary>Gets or sets a value indicating whether its texts and maps that come again are referred to, instead of being written out,
    /// on links whose sides both can; false by default.</summary>
    public bool Tables { get; set; }
}
