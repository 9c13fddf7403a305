using System.Threading.Tasks;

namespace Transport.Hosting;

/// <summary>Handles packets of one type; made by dependency injection (<c>services.AddPacketHandler</c>).</summary>
/// <typeparam name="TPacket">The packet.</typeparam>
public interface IPacketHandler<in TPacket>
{
    /// <summary>Handles a packet. The link's next packet is handled once the task has completed.</summary>
    /// <param name="packet">The packet, which the handler owns.</param>
    /// <param name="context">Where it came from, a sender back to that process, and a token that is cancelled if the link ends
    /// meanwhile.</param>
    /// <returns>A task that completes when the packet is handled. What it throws ends the link, or is reported, as
    /// <see cref="LinkOptions.EndOnHandlerFailure"/> says.</returns>
    Task HandleAsync(TPacket packet, PacketContext context);
}
