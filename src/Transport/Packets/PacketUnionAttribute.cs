using System;

namespace Transport;

/// <summary>Names one case of a union: an abstract class or interface whose values travel as one of several types.</summary>
/// <remarks>
/// <para>A value travels as the MessagePack array <c>[number, value]</c>. Each case is a type of its own that is derived from the union and
/// marked <see cref="PacketObjectAttribute"/>. The union is partial: Transport.Generator adds its formatter to it.</para>
/// <para>A number never changes its meaning, and new cases get new numbers. A reader gives null for a case that it does not know if the
/// field may be null; else the packet is malformed (<see cref="TransportFault.PacketMalformed"/>).</para>
/// <para>If a packet lacks a field that may not be null, a reader gives the case with the lowest number, with every field at its
/// default; in a union that holds itself, the lowest of the cases that need no other value of the union.</para>
/// <para>An object of a class that is derived from a case travels as that case. One that is none of the cases is an
/// <see cref="ArgumentException"/> when it is sent.</para>
/// <para>A union without an end, one that is not abstract, a number or type that stands twice, and a type that is no case are compiler
/// errors (TRANSPORT014 and TRANSPORT023 to 026).</para>
/// </remarks>
/// <param name="number">The number of the case on the wire, 0 or more. Unique within the union.</param>
/// <param name="type">The type of the case.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Interface, AllowMultiple = true, Inherited = false)]
public sealed class PacketUnionAttribute(int number, Type type) : Attribute
{
    /// <summary>Gets the number of the case on the wire.</summary>
    public int Number { get; } = number;

    /// <summary>Gets the type of the case.</summary>
    public Type Type { get; } = type;
}
