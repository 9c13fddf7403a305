using System;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Transport;

/// <summary>The type of a packet of which there is no instance yet.</summary>
/// <typeparam name="T">The packet.</typeparam>
internal static class PacketTypeOf<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>
    where T : IPacket<T>
{
    private static readonly PropertyInfo? Source =
        typeof(T).GetProperty(nameof(IPacket<T>.PacketType), BindingFlags.Public | BindingFlags.Static);

    /// <summary>Gets the type: what the static property <c>PacketType</c> of the packet returns. An interface cannot ask for a static
    /// member on netstandard2.0.</summary>
    /// <exception cref="InvalidOperationException">The packet has no such property.</exception>
    public static PacketType<T> Value { get; } = Source?.GetValue(null) as PacketType<T>
        ?? throw new InvalidOperationException($"{typeof(T)} needs a public static property PacketType, as the generator writes it.");
}
