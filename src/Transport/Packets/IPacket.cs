using System.ComponentModel;

namespace Transport;

/// <summary>A packet that knows its type, so that a program sends it without naming the type. The generator implements it for each type
/// marked with <see cref="PacketAttribute"/>.</summary>
/// <typeparam name="TSelf">The packet's own .NET type.</typeparam>
/// <remarks>If it is implemented by hand, the type needs a public static property <c>PacketType</c> as well: routers ask it.</remarks>
public interface IPacket<TSelf>
    where TSelf : IPacket<TSelf>
{
    /// <summary>Gets the packet's type. Generated code implements it, and the extensions that send read it.</summary>
    /// <value>The same for every packet of the .NET type.</value>
    [EditorBrowsable(EditorBrowsableState.Never)]
    PacketType<TSelf> PacketType { get; }
}
