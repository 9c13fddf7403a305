using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The ways in which programs and loggers send packets: over a link, or over what stands around links, such as a sender that keeps
/// packets while there is none.</summary>
/// <remarks>Safe from any thread. A packet is serialized on the calling thread; what is sent in one lane by one thread arrives in that
/// order.</remarks>
public interface IPacketSender
{
    /// <summary>Gets which log events the peer wants, by category: another object after each change, so that what was found out about a
    /// category holds as long as it is the same.</summary>
    LevelRules Levels { get; }

    /// <summary>Queues a packet. Never blocks, and the caller may reuse the packet at once.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="lane">The lane, Urgent to Bulk; null: the type's own.</param>
    /// <param name="policy">What to do with the packet if there is no capacity; null: the lane's own policy.</param>
    /// <returns>Queued; Full: there is no capacity, and the packet was not taken; Closed: nothing is taken any more. Look at it: each Full
    /// is a packet that is not sent.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: larger than what is taken.</exception>
    /// <exception cref="ArgumentOutOfRangeException">Not a lane for callers.</exception>
    /// <exception cref="InvalidOperationException">The formatter wrote nothing, or the call comes from inside a formatter of this sender.
    /// What a formatter throws itself comes out as it is.</exception>
    SendResult TrySend<T>(PacketType<T> type, T packet, Lane? lane = null, LanePolicy? policy = null);

    /// <summary>Queues a packet, waiting for capacity without blocking a thread.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="packet">The packet; must not change until the task has completed.</param>
    /// <param name="lane">The lane, Urgent to Bulk; null: the type's own.</param>
    /// <param name="cancellationToken">Ends the wait for capacity; once the packet is queued it has no effect.</param>
    /// <returns>Queued or Closed.</returns>
    /// <exception cref="TransportException">As for <see cref="TrySend{T}"/>; <see cref="TransportFault.HandlerBlocked"/>: the call comes
    /// from a handler that has waited for too long.</exception>
    /// <exception cref="OperationCanceledException">Cancelled while waiting: the packet was not taken.</exception>
    ValueTask<SendResult> SendAsync<T>(PacketType<T> type, T packet, Lane? lane = null, CancellationToken cancellationToken = default);

    /// <summary>Queues a packet, blocking the calling thread until there is capacity: for callers that must not lose and cannot
    /// await.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="timeout">How long to wait at most; <see cref="Timeout.InfiniteTimeSpan"/>: no limit. Any other negative time counts as
    /// zero.</param>
    /// <param name="lane">The lane, Urgent to Bulk; null: the type's own.</param>
    /// <returns>Queued; Closed; Full if the time is over: the packet was not taken.</returns>
    /// <exception cref="TransportException">As for <see cref="SendAsync{T}"/>.</exception>
    SendResult Send<T>(PacketType<T> type, T packet, TimeSpan timeout, Lane? lane = null);

    /// <summary>Queues a packet that is bytes already. Never blocks; the bytes are copied before the call returns.</summary>
    /// <param name="type">The packet type, 256 to 65535 but for the link's own.</param>
    /// <param name="body">One MessagePack value.</param>
    /// <param name="lane">The lane, Urgent to Bulk.</param>
    /// <returns>Queued, Full or Closed.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>.</exception>
    /// <exception cref="ArgumentException">Not a type or lane for callers, or an empty body.</exception>
    SendResult TrySendRaw(ushort type, ReadOnlySpan<byte> body, Lane lane = Lane.Normal);

    /// <summary>Queues a packet that is bytes already, waiting for capacity without blocking a thread.</summary>
    /// <param name="type">The packet type, as for <see cref="TrySendRaw"/>.</param>
    /// <param name="body">One MessagePack value; must not change until the task has completed.</param>
    /// <param name="lane">The lane, Urgent to Bulk.</param>
    /// <param name="cancellationToken">Ends the wait for capacity; once the packet is queued it has no effect.</param>
    /// <returns>Queued or Closed.</returns>
    /// <exception cref="TransportException">As for <see cref="SendAsync{T}"/>.</exception>
    /// <exception cref="ArgumentException">As for <see cref="TrySendRaw"/>.</exception>
    /// <exception cref="OperationCanceledException">Cancelled while waiting: the packet was not taken.</exception>
    ValueTask<SendResult> SendRawAsync(
        ushort type, ReadOnlyMemory<byte> body, Lane lane = Lane.Normal, CancellationToken cancellationToken = default);

    /// <summary>Queues a packet that is bytes already, blocking the calling thread until there is capacity.</summary>
    /// <param name="type">The packet type, as for <see cref="TrySendRaw"/>.</param>
    /// <param name="body">One MessagePack value.</param>
    /// <param name="timeout">How long to wait at most, as for <see cref="Send{T}"/>.</param>
    /// <param name="lane">The lane, Urgent to Bulk.</param>
    /// <returns>Queued; Closed; Full if the time is over: the packet was not taken.</returns>
    /// <exception cref="TransportException">As for <see cref="SendAsync{T}"/>.</exception>
    /// <exception cref="ArgumentException">As for <see cref="TrySendRaw"/>.</exception>
    SendResult SendRaw(ushort type, ReadOnlySpan<byte> body, TimeSpan timeout, Lane lane = Lane.Normal);
}
