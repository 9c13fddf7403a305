using System;
using System.Buffers.Binary;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Sends the items of one request in work, as far as the caller has granted credit.</summary>
/// <remarks>One handler sends, one item at a time; the receive loop grants.</remarks>
/// <param name="link">The link.</param>
/// <param name="id">The request's number.</param>
/// <param name="lane">The lane of its packets.</param>
/// <param name="credit">The credit at the beginning, in bytes.</param>
internal sealed class ItemSender(IRequestLink link, long id, Lane lane, long credit) : IItemOutput
{
    private const byte Bin32 = 0xc6;

    private readonly object _gate = new();   // over _credit and _waiter; nobody is called while it is held
    private readonly ArrayWriter _packet = new();
    private long _credit = credit;
    private TaskCompletionSource<bool>? _waiter;

    /// <summary>Gets a value indicating whether the link took nothing more. Set by the handler's task, and read behind its
    /// end.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>Adds to the credit; on the receive loop.</summary>
    public void Grant(long bytes)
    {
        TaskCompletionSource<bool>? waiter;
        lock (_gate)
        {
            _credit = _credit > long.MaxValue - bytes ? long.MaxValue : _credit + bytes;
            waiter = _credit > 0 ? _waiter : null;
        }

        waiter?.TrySetResult(true);   // once more does nothing: the next wait has a source of its own
    }

    /// <inheritdoc/>
    public async ValueTask SendAsync<T>(PacketType<T> type, T item, CancellationToken cancellationToken)
    {
        int bytes = Write(type, item);
        await WaitForCreditAsync(cancellationToken).ConfigureAwait(false);
        lock (_gate)
        {
            _credit -= RequestPackets.CostOfItem(bytes);
        }

        ReadOnlyMemory<byte> packet = _packet.Array.AsMemory(0, _packet.Length);
        if (await link.SendRawAsync(RequestTypes.Item, packet, lane, cancellationToken).ConfigureAwait(false) == SendResult.Closed)
        {
            IsClosed = true;
            throw new OperationCanceledException("The link is closing: no further item can be sent.");
        }
    }

    /// <summary>Writes an Item: its value once, behind a length that is filled in afterwards.</summary>
    /// <returns>The bytes of the value.</returns>
    private int Write<T>(PacketType<T> type, T item)
    {
        _packet.Clear();
        RequestPackets.BeginItem(_packet, id);
        int start = _packet.Length + 1 + sizeof(uint);
        _packet.GetSpan(start - _packet.Length)[0] = Bin32;
        _packet.Advance(start - _packet.Length);
        type.Formatter.Write(_packet, item);
        BinaryPrimitives.WriteUInt32BigEndian(_packet.Written.Slice(start - sizeof(uint)), (uint)(_packet.Length - start));
        return _packet.Length - start;
    }

    private ValueTask WaitForCreditAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
        {
            if (_credit > 0)
            {
                return default;
            }

            _waiter = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            return new ValueTask(Delay.UntilAsync(_waiter.Task, cancellationToken));
        }
    }
}
