using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>What requests and packets need of their pool. Safe from any thread.</summary>
internal interface IPoolLine
{
    /// <summary>Chooses a worker for a packet.</summary>
    /// <param name="isOver">Whether there is none and will be none.</param>
    /// <returns>The worker; null: none is connected.</returns>
    PoolMember? Next(out bool isOver);

    /// <summary>Waits for a worker for a packet; null: there will be none.</summary>
    Task<PoolMember?> NextAsync(CancellationToken cancellationToken);

    /// <summary>Chooses a worker no more: its link is closing, and has not taken a packet.</summary>
    void Leave(PoolMember member);

    /// <summary>Waits for a worker that has a place for a request, first come, first served; its result is null if there will be none.</summary>
    /// <param name="isNext">Whether it had its place already, at a worker that could not be asked any more.</param>
    PoolWaiter Enter(bool isNext);

    /// <summary>Waits no more.</summary>
    /// <returns>False: it was served before.</returns>
    bool TryLeave(PoolWaiter waiter);

    /// <summary>Gives a request's place back, and replaces the worker if it has served for long enough.</summary>
    void Release(PoolMember member);

    /// <summary>Makes the exception for a pool that has no worker any more.</summary>
    TransportException HasNone();

    /// <summary>Says why no worker is connected; null: one is.</summary>
    string? WhyNone();
}
