using System;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The items of one request that have arrived and are not read yet: never more than the credit that this side granted, and the
/// item that used it up.</summary>
/// <remarks>One thread adds, the link's own; one reads at a time. Either may end it.</remarks>
/// <param name="window">The credit at the beginning, in bytes. What is read is granted again.</param>
internal sealed class ItemBuffer(int window)
{
    private readonly object _gate = new();   // over _left
    private readonly Channel<byte[]> _items =
        Channel.CreateUnbounded<byte[]>(new UnboundedChannelOptions { SingleReader = true });

    private long _left = window;   // what the peer may still send
    private long _toGrant;         // read, and not granted again yet; the reader's own
    private long _read;            // raised by the reader, read by who reports that it is late: a count by itself

    /// <summary>Gets how many items were read.</summary>
    public long Read => Volatile.Read(ref _read);

    /// <summary>Gets the credit at the beginning, in bytes.</summary>
    public int Window => window;

    /// <summary>Takes an item; on the receive loop.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the peer has no credit.</exception>
    public void Add(ReadOnlySpan<byte> item)
    {
        lock (_gate)
        {
            if (_left <= 0)
            {
                throw new TransportException(TransportFault.PacketMalformed,
                    "The peer sent an Item (275) without credit: it must wait for Credit (276).");
            }

            _left -= RequestPackets.CostOfItem(item.Length);
        }

        _ = _items.Writer.TryWrite(item.ToArray());   // not after the end: then nobody reads it
    }

    /// <summary>No item follows; those that have arrived can still be read.</summary>
    public void Complete() => _items.Writer.TryComplete();

    /// <summary>Waits for an item.</summary>
    /// <returns>False: none follows.</returns>
    public ValueTask<bool> WaitAsync() => _items.Reader.WaitToReadAsync();

    /// <summary>Reads an item that has arrived.</summary>
    public bool TryRead(out byte[] item)
    {
        bool isRead = _items.Reader.TryRead(out item!);
        Volatile.Write(ref _read, _read + (isRead ? 1 : 0));
        return isRead;
    }

    /// <summary>Notes that an item is done with, and grants its cost again.</summary>
    /// <returns>The credit to report to the peer now; 0: none yet.</returns>
    public long Release(byte[] item)
    {
        _toGrant += RequestPackets.CostOfItem(item.Length);
        if (_toGrant < window / 2)
        {
            return 0;
        }

        long granted = _toGrant;
        _toGrant = 0;
        lock (_gate)
        {
            _left += granted;
        }

        return granted;
    }
}
