using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Sending of packets that know their type to the workers of a pool.</summary>
public static class WorkerPoolExtensions
{
    /// <summary>Queues a packet for one worker; as <see cref="WorkerPool.SendAsync{T}"/>.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="pool">The pool.</param>
    /// <param name="packet">The packet; must not change until the task has completed.</param>
    /// <param name="lane">The lane, Urgent to Bulk; null: the type's own.</param>
    /// <param name="cancellationToken">Ends the wait; once the packet is queued it has no effect.</param>
    /// <returns>Queued or Closed.</returns>
    public static ValueTask<SendResult> SendAsync<T>(
        this WorkerPool pool, T packet, Lane? lane = null, CancellationToken cancellationToken = default)
        where T : IPacket<T> => ArgumentGuard.NotNull(pool, nameof(pool)).SendAsync(
            ArgumentGuard.NotNull(packet, nameof(packet)).PacketType, packet, lane, cancellationToken);

    /// <summary>Queues a packet for every worker that is connected; as <see cref="WorkerPool.BroadcastAsync{T}"/>.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="pool">The pool.</param>
    /// <param name="packet">The packet; must not change until the task has completed.</param>
    /// <param name="lane">The lane, Urgent to Bulk; null: the type's own.</param>
    /// <param name="cancellationToken">Ends the wait for those that have no capacity yet.</param>
    /// <returns>How many workers it was queued for.</returns>
    public static Task<int> BroadcastAsync<T>(
        this WorkerPool pool, T packet, Lane? lane = null, CancellationToken cancellationToken = default)
        where T : IPacket<T> => ArgumentGuard.NotNull(pool, nameof(pool)).BroadcastAsync(
            ArgumentGuard.NotNull(packet, nameof(packet)).PacketType, packet, lane, cancellationToken);
}
