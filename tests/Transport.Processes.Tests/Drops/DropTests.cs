using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Logging;
using Transport.Testing;
using Transport.Testing.Links;
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
            TestHost.StartOn(crossed ? TestHost.Other : TestHost.Own, "worker-drop", book).With(Router(came, held), rig.Lines.Take));
        AssertSpin(() => File.Exists(book + ".full"), "each level was dropped");
        held.Set();
        File.WriteAllText(book + ".go", string.Empty);
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Book reported = Book.Read(book);
        LinkReceipt receipt = end.Link!.Receipt;
        Assert.Multiple(() =>
        {
            Assert.That((end.Cause, reported.End), Is.EqualTo(("clean", "clean")));
            Assert.That(came, Is.EqualTo(reported.Queued), "by level: what was queued came, no more and no less");
            Assert.That((receipt.PeerSent, receipt.Received, reported.Sent, reported.Acknowledged),
                Is.EqualTo(((long?)reported.Queued.Sum(), reported.Queued.Sum(), reported.Queued.Sum(), reported.Queued.Sum())));
            Assert.That(Enumerable.Range(0, Levels).Select(l => receipt.PeerDroppedByLevel.TryGetValue((PacketLevel)l, out long n) ? n : 0),
                Is.EqualTo(reported.Dropped), "by level: what Dropped reported");
            Assert.That((receipt.PeerDropped, reported.OwnDropped), Is.EqualTo((reported.Dropped.Sum(), reported.Dropped.Sum())),
                "what was refused is the caller's, and not among them");
            Assert.That(receipt.PeerRefused, Is.EqualTo(reported.Refused.Sum()), "what was refused");
            Assert.That(reported.Dropped, Has.All.GreaterThanOrEqualTo(40));
        });
    }

    [Test]
    public async Task What_was_queued_when_the_link_broke_is_dropped_later_and_counted([Values("unix", "pipe")] string wire)
    {
        using var folder = new TestFolder();
        string book = Path.Combine(folder.Path, "book");
        await using var rig = new MainRig(wire);
        using var held = new ManualResetEventSlim();
        WorkerProcess worker = rig.Main.StartWorker(
            TestHost.Start("worker-drop", book).With(Router(new long[Levels], held), rig.Lines.Take));
        AssertSpin(() => File.Exists(book + ".full"), "each level was dropped");
        (await worker.WaitForLinkAsync().ConfigureAwait(false)).Abort("cut by the test");
        held.Set();
        AssertSpin(() => File.Exists(book), "the worker's book");
        Book reported = Book.Read(book);
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.That((end.Link!.Fault, reported.End), Is.EqualTo((TransportFault.Aborted, "PeerGone")));
        long later = reported.OwnDropped - reported.Dropped.Sum();
        Assert.That(reported.Queued.Sum(), Is.EqualTo(reported.Sent + later), "queued = sent + dropped later");
        Assert.That(later, Is.GreaterThan(0));
        Assert.That(reported.Acknowledged, Is.LessThanOrEqualTo(reported.Sent));
    }

    private static PacketRouter Router(long[] came, ManualResetEventSlim held) => new PacketRouter()
        .On<LogEvent>(packet =>
        {
            held.Wait(WithinExtensions.Bound);
            came[(int)packet.Level]++;
        })
        .On(NumberPacket.Type, (_, _) => came[NoLevel]++);

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
