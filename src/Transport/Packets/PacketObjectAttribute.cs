using System;

namespace Transport;

/// <summary>Makes a partial record, class or struct a value that packets may hold: written like a packet (<see cref="PacketAttribute"/>),
/// as a MessagePack array of its fields, but without a number of its own.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
public sealed class PacketObjectAttribute : Attribute;
