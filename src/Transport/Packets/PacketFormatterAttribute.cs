using System;

namespace Transport;

/// <summary>Gives a field of a packet a formatter of its own, for a type that cannot travel otherwise or needs another form.</summary>
/// <remarks>
/// <para>The formatter writes the field as exactly one MessagePack value. One instance serves all threads. If the field may be null, null
/// travels as nil and does not reach the formatter.</para>
/// <para>A field that a packet lacks gets null or the type's default, so the field is nullable, a value type, or has an initializer.</para>
/// </remarks>
/// <param name="formatter">A class or struct that implements <see cref="IPacketFormatter{T}"/> for the field's type and has a public
/// constructor without parameters.</param>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field | AttributeTargets.Parameter)]
public sealed class PacketFormatterAttribute(Type formatter) : Attribute
{
    /// <summary>Gets the type of the formatter.</summary>
    public Type Formatter { get; } = formatter;
}
