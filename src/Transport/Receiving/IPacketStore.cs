using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Keeps what a link receives before the peer may forget it: in a journal, at another machine. A router that has one
/// (<see cref="PacketRouter.UseStore"/>) acknowledges a packet once it is handled and safe.</summary>
/// <remarks>
/// <para>A peer may give up what was acknowledged; so without a store the end of this process takes what its handlers had not brought to
/// safety themselves.</para>
/// <para>One link calls <see cref="AppendAsync"/> for one packet at a time, in the order in which packets count for Ack, and
/// <see cref="FlushAsync"/> beside that, one call at a time. A store that serves several links is called by all of them at once.</para>
/// </remarks>
public interface IPacketStore
{
    /// <summary>Takes a packet, before its handler. Each complete packet of lanes 1 to 3 comes, whether it has a handler or not, requests
    /// and answers among them, and what an exited worker's tail brings; only packets that set entries of the link's tables do not, since
    /// <see cref="RawPacket.Body"/> has all references to them expanded.</summary>
    /// <param name="packet">The packet; its body is one valid MessagePack value, on loan until the task has completed. A store that waits takes
    /// its <see cref="RawPacket.Lease"/>.</param>
    /// <param name="cancellationToken">Cancelled when the link is cut: the packet no longer counts as handled, taken or not. A store that
    /// waits (for capacity, for another machine) may give up then.</param>
    /// <returns>Completes when it is taken; it need not be safe yet. Until then the link handles and reads nothing more.</returns>
    ValueTask AppendAsync(RawPacket packet, CancellationToken cancellationToken);

    /// <summary>Waits until every packet taken so far is safe. Asked for when an Ack is due: at the latest after 4,096 packets or 1 MiB,
    /// when the link runs out of input, and at Goodbye.</summary>
    /// <param name="cancellationToken">Cancelled when the link has ended, and nobody waits for the answer any more.</param>
    /// <returns>Completes when it is so; awaited once. The link goes on reading meanwhile. What either of the two throws ends the link with
    /// <see cref="TransportFault.HandlerFailed"/>, and nothing more is acknowledged.</returns>
    ValueTask FlushAsync(CancellationToken cancellationToken);
}
