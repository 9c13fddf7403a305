using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Takes what a handler of requests sends before its answer. One call at a time.</summary>
internal interface IItemOutput
{
    /// <summary>Sends an item once the asker has granted credit for it and the link has capacity.</summary>
    /// <exception cref="System.OperationCanceledException">The token was cancelled, or the link takes nothing more.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>.</exception>
    ValueTask SendAsync<T>(PacketType<T> type, T item, CancellationToken cancellationToken);
}
