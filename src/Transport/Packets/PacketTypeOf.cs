using System;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.ExceptionServices;

namespace Transport;

/// <summary>The type of a packet of which there is no instance yet.</summary>
/// <typeparam name="T">The packet.</typeparam>
internal static class PacketTypeOf<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>
    where T : IPacket<T>
{
    // Not in a static initializer: what the property throws, or that it is missing, would come as a TypeInitializationException.
    private static readonly Lazy<PacketType<T>?> Known = new(Find);

    /// <summary>Gets the type: what the static property <c>PacketType</c> of the packet returns. An interface cannot ask for a static
    /// member on netstandard2.0.</summary>
    /// <exception cref="InvalidOperationException">The packet has no such property.</exception>
    public static PacketType<T> Value => Known.Value
        ?? throw new InvalidOperationException($"{typeof(T)} needs a public static property PacketType, as the generator writes it.");

    private static PacketType<T>? Find()
    {
        PropertyInfo? source = typeof(T).GetProperty(nameof(IPacket<T>.PacketType), BindingFlags.Public | BindingFlags.Static);
        try
        {
            return source?.GetValue(null) as PacketType<T>;
        }
        catch (TargetInvocationException thrown) when (thrown.InnerException is { } inner)
        {
            ExceptionDispatchInfo.Capture(inner).Throw();
            throw;
        }
    }
}
