using System.ComponentModel;

namespace Transport;

/// <summary>A packet that asks for a response: <c>link.RequestAsync(request)</c> knows from it what comes back.</summary>
/// <typeparam name="TResponse">The response.</typeparam>
/// <example>
/// <code>
/// [Packet(1030)]
/// public sealed partial record FileHash(string Path) : IRequest&lt;HashOfFile&gt;;
/// </code>
/// </example>
public interface IRequest<TResponse>
    where TResponse : IPacket<TResponse>
{
    /// <summary>Gets the request's type. Generated code implements it, and <c>RequestAsync</c> reads it.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    PacketType PacketType { get; }
}
