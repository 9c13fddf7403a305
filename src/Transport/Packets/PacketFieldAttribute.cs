using System;

namespace Transport;

/// <summary>Gives a field of a packet its place, where the order of declaration shall not count. Either every field of a type has a place
/// or none has.</summary>
/// <param name="index">The place in the MessagePack array, from 0 and without gaps. It never changes: fields are only ever added at the
/// end.</param>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field | AttributeTargets.Parameter)]
public sealed class PacketFieldAttribute(int index) : Attribute
{
    /// <summary>Gets the place in the array.</summary>
    public int Index { get; } = index;
}
