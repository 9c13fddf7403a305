using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Reading;

/// <summary>Readers that go on with what is appended under <see cref="JournalSync.Group"/>.</summary>
internal sealed class FollowGroupTests
{
    private static readonly TimeSpan Bound = WithinExtensions.Bound;

    [Test]
    public async Task What_is_not_committed_is_not_shown()
    {
        var disk = new Disk.SimulatedDisk(5);
        using var may = new ManualResetEventSlim();
        using var waits = new ManualResetEventSlim();
        using PacketJournal journal = PacketJournal.Open("simulated", new JournalOptions
        {
            Store = disk.Store(), SegmentBytes = 64 << 10, IdleMarkMilliseconds = 0,
        });
        using var reader = JournalReader.Open(disk.Store(), null, new JournalReaderOptions { Follow = true });
        journal.Append(1);
        disk.Inject = (call, _) =>
        {
            if (call == "sync")
            {
                waits.Set();
                Monitor.Exit(disk.Lock);
                may.Wait(Bound);
                Monitor.Enter(disk.Lock);
            }

            return StoreError.None;
        };
        ValueTask<long> append = journal.AppendAsync(Packets.Node, 1, Packets.Body(2));
        Assert.That(waits.Wait(Bound), Is.True);
        Assert.That(reader.ReadAll().Select(r => r.Number), Is.EqualTo([1L]), "the second is written, and says that the first is synced");
        disk.Inject = null;
        may.Set();
        await append;
        Assert.That(reader.ReadAll(), Is.Empty, "nothing says yet that it is synced");
        journal.Append(3);
        Assert.That(reader.ReadAll().Select(r => r.Number), Is.EqualTo([2L]));
    }
}
