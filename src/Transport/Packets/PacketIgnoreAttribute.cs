using System;

namespace Transport;

/// <summary>Keeps a property or field of a packet from travelling.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field)]
public sealed class PacketIgnoreAttribute : Attribute;
