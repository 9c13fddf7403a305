using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Reading;

/// <summary>Readers that go on with what is appended under <see cref="JournalSync.GroupCommit"/>.</summary>
internal sealed class FollowGroupTests
{
    private static readonly TimeSpan Bound = WithinExtensions.Bound;

    [Test]
    public async Task What_is_not_committed_is_not_shown()
    {
        var disk = new SimulatedDisk(5);
        using PacketJournal journal = PacketJournal.Open("simulated", new JournalOptions
        {
            Store = disk.Store(), SegmentBytes = 64 << 10, IdleMarkMilliseconds = 0,
        });
        using var reader = JournalReader.Open(disk.Store(), null, new JournalReaderOptions { Follow = true });
        journal.Append(1);
        using var held = new HeldCall(disk, "sync");
        ValueTask<long> append = journal.AppendAsync(Numbered.Node, 1, Numbered.Body(2));
        Assert.That(held.WaitForOne(), Is.True);
        Assert.That(reader.ReadAll().Select(r => r.Number), Is.EqualTo([1L]), "the second is written, and says that the first is synced");
        held.Release();
        await append;
        Assert.That(reader.ReadAll(), Is.Empty, "nothing says yet that it is synced");
        journal.Append(3);
        Assert.That(reader.ReadAll().Select(r => r.Number), Is.EqualTo([2L]));
    }
}
