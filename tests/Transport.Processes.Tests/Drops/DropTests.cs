using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Logging;
using Transport.ProcessHelper;
using Transport.Processes.Tests.Kit;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Drops;

/// <summary>A main node that does not read, and a worker whose lane drops: what the two have counted, beside the library, is what the
/// library says, to the packet and by level.</summary>
public sealed class DropTests
{
    private const int Levels = 7, NoLevel = 6;

    [Test]
    public async Task Every_packet_offered_is_queued_refused_or_dropped_and_what_is_queued_is_sent([Values("unix", "pipe")] string wire,
        [Values] bool crossed)
    {
        using var folder = new TestFolder();
        string book = Path.Combine(folder.Path, "book");
        await using var rig = new MainRig(wire);
        long[] came = new long[Levels];
        using var held = new ManualResetEventSlim();
        WorkerProcess worker = rig.Main.StartWorker(
            Helper.StartOn(crossed ? Helper.Other : Helper.Own, "worker-drop", book), Router(came, held), rig.Lines.Take);
        AssertSpin(() => File.Exists(book + ".full"), "each level was dropped");
        held.Set();
        File.WriteAllText(book + ".go", string.Empty);
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Book told = Book.Read(book);
        LinkReceipt receipt = end.Link!.Receipt;
        Assert.Multiple(() =>
        {
            Assert.That((end.Cause, told.End), Is.EqualTo(("clean", "clean")));
            Assert.That(came, Is.EqualTo(told.Queued), "by level: what was queued came, no more and no less");
            Assert.That((receipt.PeerSent, receipt.Received, told.Sent, told.Acknowledged),
                Is.EqualTo(((long?)told.Queued.Sum(), told.Queued.Sum(), told.Queued.Sum(), told.Queued.Sum())));
            Assert.That(Enumerable.Range(0, Levels).Select(l => receipt.PeerDroppedByLevel.TryGetValue((PacketLevel)l, out long n) ? n : 0),
                Is.EqualTo(told.Dropped), "by level: what Dropped told");
            Assert.That((receipt.PeerDropped, told.OwnDropped), Is.EqualTo((told.Dropped.Sum(), told.Dropped.Sum())),
                "what was refused is the caller's, and not among them");
            Assert.That(receipt.PeerRefused, Is.EqualTo(told.Refused.Sum()), "what was refused");
            Assert.That(told.Dropped, Has.All.GreaterThanOrEqualTo(40));
        });
    }

    [Test]
    public async Task What_was_queued_when_the_link_broke_is_dropped_later_and_counted([Values("unix", "pipe")] string wire)
    {
        using var folder = new TestFolder();
        string book = Path.Combine(folder.Path, "book");
        await using var rig = new MainRig(wire);
        using var held = new ManualResetEventSlim();
        WorkerProcess worker = rig.Main.StartWorker(Helper.Start("worker-drop", book), Router(new long[Levels], held), rig.Lines.Take);
        AssertSpin(() => File.Exists(book + ".full"), "each level was dropped");
        (await worker.WaitForLinkAsync().ConfigureAwait(false)).Abort("cut by the test");
        held.Set();
        AssertSpin(() => File.Exists(book), "the worker's book");
        Book told = Book.Read(book);
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.That((end.Link!.Fault, told.End), Is.EqualTo((TransportFault.Aborted, "PeerGone")));
        long later = told.OwnDropped - told.Dropped.Sum();
        Assert.That(told.Queued.Sum(), Is.EqualTo(told.Sent + later), "queued = sent + dropped later");
        Assert.That(later, Is.GreaterThan(0));
        Assert.That(told.Acknowledged, Is.LessThanOrEqualTo(told.Sent));
    }

    private static PacketRouter Router(long[] came, ManualResetEventSlim held) => new PacketRouter()
        .On(LogPackets.Event, packet =>
        {
            held.Wait(WithinExtensions.Bound);
            came[(int)packet.Level]++;
        })
        .On(NumberPacket.Type, _ => came[NoLevel]++);

    private static void AssertSpin(Func<bool> condition, string what) =>
        Assert.That(SpinWait.SpinUntil(condition, WithinExtensions.Bound), Is.True, what);

    /// <summary>What the worker has written down.</summary>
    private sealed record Book(long[] Queued, long[] Dropped, long[] Refused, long Sent, long Acknowledged, long OwnDropped, string End)
    {
        public static Book Read(string path)
        {
            string[] lines = File.ReadAllLines(path);
            List<long[]> rows = [.. lines.Take(4).Select(line => line.Split(' ').Select(long.Parse).ToArray())];
            TestContext.Out.WriteLine(string.Join(Environment.NewLine, lines));
            return new Book(rows[0], rows[1], rows[2], rows[3][0], rows[3][1], rows[3][2], lines[4]);
        }
    }
}
