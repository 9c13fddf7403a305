using System;
using System.Collections.Generic;
using System.Diagnostics.Metrics;
using System.Linq;
using System.Threading;

namespace Transport.Nats;

/// <summary>What the meter <c>Transport</c> says of shippers and receivers; what nobody collects costs nothing.</summary>
internal static class FarmMeter
{
    /// <summary>Gets the shippers that run.</summary>
    public static Shippers Live { get; } = new();

    /// <summary>Gets the blocks that servers have acknowledged.</summary>
    public static Counter<long> Blocks { get; } = Make();

    /// <summary>Gets the packets that receivers have flushed.</summary>
    public static Counter<long> Packets { get; } = TransportMeter.Instruments.CreateCounter<long>(
        "transport.receive.packets", "{packet}", "Packets of other machines that are on the disk.");

    /// <summary>Gets the gaps of received journals.</summary>
    public static Counter<long> Gaps { get; } = TransportMeter.Instruments.CreateCounter<long>(
        "transport.receive.gaps", "{gap}", "Gaps of received journals: packets that did not come.");

    private static Counter<long> Make()
    {
        _ = TransportMeter.Instruments.CreateObservableUpDownCounter(
            "transport.ship.size", static () => Live.Sum(static status => status.WaitingBytes), "By",
            "Bytes of packets that were read from journals and are not on the server.");
        _ = TransportMeter.Instruments.CreateObservableGauge(
            "transport.ship.lag", static () => Live.Most(static status => status.Lag.TotalSeconds), "s",
            "Age of the oldest packet that was read from a journal and is not on the server.");
        return TransportMeter.Instruments.CreateCounter<long>(
            "transport.ship.blocks", "{block}", "Blocks that servers have acknowledged.");
    }

    /// <summary>The shippers of the process. Safe for any thread.</summary>
    internal sealed class Shippers
    {
        private readonly Lock _gate = new();
        private readonly HashSet<Func<ShipperStatus>> _all = [];   // under the lock

        public void Add(Func<ShipperStatus> one)
        {
            lock (_gate)
            {
                _all.Add(one);
            }
        }

        public void Remove(Func<ShipperStatus> one)
        {
            lock (_gate)
            {
                _all.Remove(one);
            }
        }

        public long Sum(Func<ShipperStatus, long> value) => All().Sum(one => value(one()));

        public double Most(Func<ShipperStatus, double> value) => All().Select(one => value(one())).DefaultIfEmpty().Max();

        // Copied: what a shipper says takes its own lock.
        private Func<ShipperStatus>[] All()
        {
            lock (_gate)
            {
                return [.. _all];
            }
        }
    }
}
