using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Sends the reports of a handler of requests. A report that waits for credit or capacity gives way to the next, so that a handler
/// never waits for one; the last is sent before the response.</summary>
/// <remarks>Safe from any thread.</remarks>
/// <param name="type">Writes a report.</param>
/// <param name="items">Where to; null: the caller wants none.</param>
/// <param name="cancellationToken">Cancelled when nobody waits for the response any more.</param>
internal sealed class ProgressSender<T>(PacketType<T> type, IItemOutput? items, CancellationToken cancellationToken) : IProgress<T>
{
    private readonly object _gate = new();   // over the fields below
    private T? _next;
    private bool _hasNext;
    private bool _isEnded;
    private Task? _sending;   // while reports are being sent; never fails but with what EndAsync throws

    /// <inheritdoc/>
    public void Report(T value)
    {
        lock (_gate)
        {
            if (items is null || _isEnded)
            {
                return;
            }

            (_next, _hasNext) = (value, true);
            _sending ??= Task.Run(SendAsync, CancellationToken.None);
        }
    }

    /// <summary>Takes no more reports, and waits for the last.</summary>
    /// <exception cref="OperationCanceledException">Nobody waits for the response any more.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: of a report.</exception>
    public async Task EndAsync()
    {
        Task? sending;
        lock (_gate)
        {
            _isEnded = true;
            sending = _sending;
        }

        if (sending is not null)
        {
            await sending.ConfigureAwait(false);
        }
    }

    private async Task SendAsync()
    {
        while (true)
        {
            T report;
            lock (_gate)
            {
                if (!_hasNext)
                {
                    _sending = null;
                    return;
                }

                (report, _next, _hasNext) = (_next!, default, false);
            }

            await items!.SendAsync(type, report, cancellationToken).ConfigureAwait(false);
        }
    }
}
