using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NATS.Client.JetStream;
using NATS.Client.KeyValueStore;
using NUnit.Framework;
using Transport.Journal;
using Transport.Nats.Tests.Kit;
using Transport.Testing;

namespace Transport.Nats.Tests.Shipping;

/// <summary>Several receivers of one stream: each has what is its own, and nothing else.</summary>
[NonParallelizable]
public sealed class SharedStreamTests : ServerTests
{
    [TestCase(true)]
    [TestCase(false)]
    public async Task Receivers_share_a_stream_by_machines_or_by_subjects(bool byMachines)
    {
        using var folder = new TemporaryFolder();
        await using (JournalReceiver all = Receive("all", Path.Combine(folder.Path, "all"), _ => { }))   // creates the stream
        {
            await CreatedAsync();
            List<PacketJournal> journals = [];
            foreach (int i in new[] { 0, 1, 2 })
            {
                var journal = PacketJournal.Open(Path.Combine(folder.Path, $"source{i}"));
                journals.Add(journal);
                await Records.AppendAsync(journal, 1, 100);
            }

            await using JournalReceiver first = Receive("first", Path.Combine(folder.Path, "first"), options =>
            {
                options.Machines = byMachines ? ["m0", "m1"] : [];
                options.Stream.Subject = byMachines ? "transport.journal" : "transport.journal.g0";
            });
            await using JournalReceiver second = Receive("second", Path.Combine(folder.Path, "second"), options =>
            {
                options.Machines = byMachines ? ["m2"] : [];
                options.Stream.Subject = byMachines ? "transport.journal" : "transport.journal.g1";
            });
            List<JournalShipper> shippers = [.. journals.Select((journal, i) => JournalShipper.Start(Connection, journal, new ShipperOptions
            {
                Machine = $"m{i}",
                Stream =
                {
                    Subject = byMachines ? "transport.journal" : i < 2 ? "transport.journal.g0" : "transport.journal.g1", Create = true,
                },
            }))];
            await Records.WaitAsync(first, journals[0].Id, 100);
            await Records.WaitAsync(first, journals[1].Id, 100);
            await Records.WaitAsync(second, journals[2].Id, 100);
            Assert.That(first.Status.Journals.Select(one => one.Machine).Order(), Is.EqualTo(new[] { "m0", "m1" }));
            Assert.That(second.Status.Journals.Select(one => one.Machine), Is.EqualTo(new[] { "m2" }));
            Assert.That((first.Status.Quarantined, second.Status.Quarantined), Is.EqualTo((0L, 0L)));
            foreach (JournalShipper shipper in shippers)
            {
                await shipper.DisposeAsync();
            }

            foreach (PacketJournal journal in journals)
            {
                await journal.DisposeAsync();
            }
        }
    }

    /// <summary>Waits until the first receiver has made stream and bucket.</summary>
    private async Task CreatedAsync()
    {
        var clock = Stopwatch.StartNew();
        while (true)
        {
            try
            {
                await new NatsKVContext(new NatsJSContext(Connection)).GetStoreAsync("TRANSPORT_positions");
                return;
            }
            catch (NatsJSApiException)
            {
                Assert.That(clock.Elapsed, Is.LessThan(Records.Bound));
            }
        }
    }

    private JournalReceiver Receive(string name, string folder, Action<ReceiverOptions> configure)
    {
        var options = new ReceiverOptions { Name = name, Stream = { Create = true } };
        configure(options);
        return JournalReceiver.Start(Connection, folder, options);
    }
}
