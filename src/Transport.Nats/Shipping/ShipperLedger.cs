using System;
using System.Collections.Generic;
using System.Threading;

namespace Transport.Nats;

/// <summary>Where a shipper stands. Any thread.</summary>
internal sealed class ShipperLedger(ShipperOptions options)
{
    private readonly Lock _gate = new();
    private readonly Queue<(long Position, int Bytes, DateTimeOffset Time)> _waiting = new();   // under the lock, as the next
    private ShipperStatus _status = new();

    /// <summary>Gets how it stands with the server.</summary>
    public ServerState Server { get; } = new(options.Report, "shipping goes on", options.TimeProvider);

    /// <summary>Gets where it stands.</summary>
    public ShipperStatus Status
    {
        get
        {
            lock (_gate)
            {
                TimeSpan lag = _waiting.TryPeek(out (long Position, int Bytes, DateTimeOffset Time) oldest)
                    ? options.TimeProvider.GetUtcNow() - oldest.Time : TimeSpan.Zero;
                return _status with { Lag = lag > TimeSpan.Zero ? lag : TimeSpan.Zero, Problem = Server.Problem };
            }
        }
    }

    /// <summary>Gets the position up to which packets count as shipped.</summary>
    public long Shipped
    {
        get
        {
            lock (_gate)
            {
                return options.ShippedBy == ShippedBy.Receiver ? _status.Received : _status.Published;
            }
        }
    }

    /// <summary>Gets a value indicating whether the server has something of which the receiver has not said that it has it.</summary>
    public bool IsExpecting
    {
        get
        {
            lock (_gate)
            {
                return _status.Published > _status.Received;
            }
        }
    }

    /// <summary>Notes whose packets these are.</summary>
    public void Is(Guid journal) => Change(status => status with { Journal = journal });

    /// <summary>Begins anew behind a position.</summary>
    public void Begin(long after)
    {
        lock (_gate)
        {
            _waiting.Clear();
            _status = _status with { Read = after, Published = after, WaitingBytes = 0 };
        }

        Server.Works();
    }

    /// <summary>Notes a block whose packets were read, and that is sent now.</summary>
    public void Read(BlockHeader header, DateTimeOffset time)
    {
        lock (_gate)
        {
            _waiting.Enqueue((header.Last, header.ContentBytes, time));
            _status = _status with { Read = header.Last, WaitingBytes = _status.WaitingBytes + header.ContentBytes };
        }
    }

    /// <summary>Notes a block that the server has.</summary>
    public void Published(BlockHeader header)
    {
        Listeners.Count(FarmMeter.Blocks);
        Server.Works();
        lock (_gate)
        {
            long bytes = _status.WaitingBytes;
            while (_waiting.TryPeek(out (long Position, int Bytes, DateTimeOffset Time) oldest) && oldest.Position <= header.Last)
            {
                bytes -= _waiting.Dequeue().Bytes;
            }

            _status = _status with { Published = header.Last, Blocks = _status.Blocks + 1, WaitingBytes = bytes };
        }
    }

    /// <summary>Notes what the receiver says it has.</summary>
    public void Received(long position)
    {
        lock (_gate)
        {
            _status = position == _status.Received ? _status : _status with { Received = position };
        }
    }

    /// <summary>Notes how many positions the receiver says it never got.</summary>
    public void MissedByReceiver(long positions)
    {
        long before;
        lock (_gate)
        {
            (before, _status) = (_status.MissedByReceiver, _status with { MissedByReceiver = positions });
        }

        if (positions != before)
        {
            options.Report?.Invoke(FormattableString.Invariant(
                $"{positions} of the journal's positions never came to the receiver, and it does not wait for them any more"));
        }
    }

    /// <summary>Notes packets that were gone before they could be shipped.</summary>
    public void Missed(long from, long to)
    {
        Change(status => status with { Missed = status.Missed + (to - from + 1) });
        options.Report?.Invoke(FormattableString.Invariant(
            $"packets {from} to {to} were dropped from the journal before they were shipped: they are lost to the receiver"));
    }

    private void Change(Func<ShipperStatus, ShipperStatus> change)
    {
        lock (_gate)
        {
            _status = change(_status);
        }
    }
}
