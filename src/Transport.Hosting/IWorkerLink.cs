using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Hosting;

/// <summary>The link of a worker's host to its main node. It is there before any hosted service of the program starts. Safe from any
/// thread.</summary>
public interface IWorkerLink
{
    /// <summary>Gets the link.</summary>
    /// <exception cref="InvalidOperationException">The host has not connected yet: do not use it in a constructor. A
    /// handler may run a moment earlier too: it has the link in <see cref="PacketContext.Sender"/>.</exception>
    /// <exception cref="OperationCanceledException">There is no main node, or it could not be reached: the host stops. A background
    /// service need not catch it.</exception>
    Link Link { get; }

    /// <summary>Waits until the host has connected.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The link.</returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled, or there will be no link.</exception>
    Task<Link> WaitForLinkAsync(CancellationToken cancellationToken = default);
}
