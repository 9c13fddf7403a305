using System.ComponentModel;

namespace Transport;

/// <summary>A packet that asks for a stream: <c>link.RequestStreamAsync(request)</c> knows from it what comes back, any number of times,
/// until the stream ends.</summary>
/// <typeparam name="TItem">One item of the response.</typeparam>
/// <example>
/// <code>
/// [Packet(1032)]
/// public sealed partial record FilesBelow(string Folder) : IStreamRequest&lt;FoundFile&gt;;
/// </code>
/// </example>
public interface IStreamRequest<TItem>
    where TItem : IPacket<TItem>
{
    /// <summary>Gets the request's type. Generated code implements it, and <c>RequestStreamAsync</c> reads it.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    PacketType PacketType { get; }
}
