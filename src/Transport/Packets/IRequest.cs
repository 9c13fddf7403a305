using System.ComponentModel;

namespace Transport;

/// <summary>A packet that asks for an answer: <c>link.RequestAsync(question)</c> knows from it what comes back.</summary>
/// <typeparam name="TAnswer">The answer.</typeparam>
/// <example>
/// <code>
/// [Packet(1030)]
/// public sealed partial record FileHash(string Path) : IRequest&lt;HashOfFile&gt;;
/// </code>
/// </example>
public interface IRequest<TAnswer>
    where TAnswer : IPacket<TAnswer>
{
    /// <summary>Gets the question's type. Generated code implements it, and <c>RequestAsync</c> reads it.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    PacketType PacketType { get; }
}
