using System;
using System.Collections.Generic;
using System.Diagnostics.Metrics;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>The meter Transport: what a collector sees of links.</summary>
/// <remarks>Its sums are the process's: each test looks at what was added.</remarks>
[TestFixture(WireKinds.Memory)]
[TestFixture(WireKinds.Unix)]
[NonParallelizable]
internal sealed class LinkMeters(string wire)
{
    [Test]
    public async Task Packets_bytes_drops_and_links_are_counted_and_sums_do_not_fall_when_links_end()
    {
        using var meter = new Collector();
        Dictionary<string, double> before = meter.Collect();
        Dictionary<string, double> open;
        LinkReceipt receipt;
        await using (LinkRig rig = await LinkRig.OpenAsync(wire, worker: o => o.MaxQueuedBytes = 64 << 10))
        {
            rig.Main.Start(new PacketRouter()
                .On(TestPackets.Numbered, (_, _) => { })
                .OnRequest(TestPackets.Text, TestPackets.Text, (text, _) => Task.FromResult(text)));
            rig.Worker.Start(new PacketRouter());
            for (int i = 0; i < 1_000; i++)
            {
                Assert.That(
                    await rig.Worker.SendAsync(TestPackets.Numbered, new Numbered(0, i, []), i % 2 == 0 ? Lane.Bulk : Lane.Urgent)
                        .Within("capacity"),
                    Is.EqualTo(SendResult.Queued));
            }

            while (rig.Worker.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[50_000]), Lane.Bulk, LanePolicy.Drop)
                != SendResult.Full)
            {
                // Until one comes while the one before has not been written.
            }

            _ = await rig.Worker.RequestAsync(TestPackets.Text, TestPackets.Text, "?").Within("the answer");
            Assert.That(
                () => rig.Worker.Receipt is var now && now.Acknowledged == now.Sent && now.Sent > 1_000,
                Is.True.After((int)WithinExtensions.Bound.TotalMilliseconds, 5));
            open = meter.Collect();
            receipt = rig.Worker.Receipt;
        }

        Dictionary<string, double> after = meter.Collect();
        double Added(string name) => Of(open, name) - Of(before, name);
        using (Assert.EnterMultipleScope())
        {
            Assert.That(Added("transport.packets.sent{Bulk}"), Is.EqualTo(receipt.Sent - 501), "of both lanes of the worker");
            Assert.That(Added("transport.packets.sent{Urgent}"), Is.EqualTo(500));
            Assert.That(Added("transport.packets.sent{Normal}"), Is.EqualTo(2), "Normal: a question and its answer");
            Assert.That(Added("transport.packets.received{Bulk}"), Is.EqualTo(receipt.Sent - 501));
            Assert.That(Added("transport.packets.dropped{Trace}"), Is.EqualTo(1).And.EqualTo(receipt.Dropped));
            Assert.That(Added("transport.links"), Is.EqualTo(2), "links");
            Assert.That(Added("transport.bytes.received"), Is.GreaterThan(1_000 * 15));
            Assert.That(Added("transport.request.duration"), Is.EqualTo(1), "one measurement");
            Assert.That(Added("transport.write.duration"), Is.GreaterThan(0));
            Assert.That(Added("transport.acknowledge.duration"), Is.GreaterThan(0));
            Assert.That(after["transport.links"], Is.EqualTo(open["transport.links"] - 2));
            Assert.That(after["transport.queue.size"], Is.Zero);
            Assert.That(
                after.Where(one => one.Key is not "transport.links" and not "transport.queue.size" && one.Value < Of(open, one.Key)),
                Is.Empty);
        }

        Assert.That(meter.Units.Where(unit => unit.Value is null), Is.Empty);
    }

    private static double Of(Dictionary<string, double> values, string name) => values.TryGetValue(name, out double value) ? value : 0;

    /// <summary>Collects once: counters by name and tag; of histograms the number of measurements.</summary>
    private sealed class Collector : IDisposable
    {
        private readonly MeterListener _listener = new();
        private readonly Dictionary<string, double> _values = [];

        public Collector()
        {
            _listener.InstrumentPublished = (instrument, listener) =>
            {
                if (instrument.Meter.Name == "Transport")
                {
                    Units[instrument.Name] = instrument.Unit;
                    listener.EnableMeasurementEvents(instrument);
                }
            };
            _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Set(NameOf(instrument, tags), value, isSum: true));
            _listener.SetMeasurementEventCallback<double>((instrument, _, tags, _) => Set(instrument.Name, 1, isSum: false));
            _listener.Start();
        }

        public Dictionary<string, string?> Units { get; } = [];

        public Dictionary<string, double> Collect()
        {
            _listener.RecordObservableInstruments();
            lock (_values)
            {
                return new Dictionary<string, double>(_values);
            }
        }

        public void Dispose() => _listener.Dispose();

        private static string NameOf(Instrument instrument, ReadOnlySpan<KeyValuePair<string, object?>> tags) =>
            tags.Length == 0 ? instrument.Name : $"{instrument.Name}{{{tags[0].Value}}}";

        private void Set(string name, double value, bool isSum)
        {
            lock (_values)
            {
                _values[name] = isSum ? value : (_values.TryGetValue(name, out double before) ? before : 0) + value;
            }
        }
    }
}
