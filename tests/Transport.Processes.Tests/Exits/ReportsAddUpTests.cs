using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Exits;

/// <summary>What an exit report says of packets is what a book beside the library says: handled, unhandled, failed and lost packets add up
/// to those that were sent, and success is only claimed if every handler ran to its end.</summary>
public sealed class ReportsAddUpTests
{
    private static readonly int Mixtures = Nightly.Rounds(200, 16);

    [Promise("Reports", "`WorkerExit.PacketsLost` is exact, or null where the number cannot be known; never a guess.")]
    [Test]
    public async Task What_a_worker_sent_without_opening_its_tail_is_unknown_and_not_zero()
    {
        await using var rig = new MainRig();
        WorkerStartOptions host = TestHost.Start("worker-kill", "100", "9");
        WorkerStartOptions stripped = new("/usr/bin/env", ["-u", "TRANSPORT_TAIL", host.FileName, .. host.Arguments]);
        WorkerExit end = await rig.End(rig.Start(stripped)).ConfigureAwait(false);
        Assert.Multiple(() =>
        {
            Assert.That((end.PacketsLost, end.PacketsRefused, end.AllPacketsHandled, end.IsSuccess),
                Is.EqualTo(((long?)null, (long?)null, false, false)), end.Report);
            Assert.That(end.Report, Does.Contain("lost unknown (it never opened its crash tail)"));
        });
    }

    [Test]
    public async Task A_handler_that_throws_is_in_the_report_and_the_sum_is_what_was_sent()
    {
        int handled = 0;
        using var written = new ManualResetEventSlim();
        var router = new PacketRouter().On(NumberPacket.Type, (number, _) =>
        {
            written.Wait(WithinExtensions.Bound);   // the link's end would else be the end of the sends too
            if (number == 498)
            {
                throw new InvalidOperationException("no. 498");
            }

            handled++;
        });
        await using var rig = new MainRig();
        WorkerExit end = await rig.End(rig.Main.StartWorker(
            TestHost.Start("worker-kill", "2000", "9").With(router, line => written.Set()))).ConfigureAwait(false);
        LinkReceipt receipt = end.Link!.Receipt;
        Assert.That((end.AllPacketsHandled, receipt.Handled, receipt.HandlerFailures, end.PacketsLost),
            Is.EqualTo((false, 497L, 1L, (long?)1502)), end.Report);
        Assert.That(handled, Is.EqualTo(497));
    }

    [Promise("Reports", "`WorkerExit.IsSuccess` means a clean exit and every packet handled; anything unknown makes it false.")]
    [TestCase(true)]
    [TestCase(false)]
    public async Task A_last_packet_whose_handler_throws_is_no_success(bool endsLink)
    {
        var router = new PacketRouter().On(NumberPacket.Type, (number, _) => throw new InvalidOperationException("never"));
        await using var rig = new MainRig(change: options =>
            options.Link.EndOnHandlerFailure = endsLink);
        WorkerExit end = await rig.End(rig.Main.StartWorker(TestHost.Start("worker-send", "1").With(router))).ConfigureAwait(false);
        Assert.That((end.AllPacketsHandled, end.IsSuccess, end.Link!.Receipt.HandlerFailures, end.Link.Receipt.Handled),
            Is.EqualTo((false, false, 1L, 0L)), end.Report);
        Assert.That(end.ToString(), Does.Contain("1 packet failed in its handler"));
    }

    [Test]
    public async Task A_worker_whose_packet_failed_at_the_main_node_does_not_say_that_the_main_node_is_gone()
    {
        var router = new PacketRouter().On(NumberPacket.Type, (number, _) => throw new InvalidOperationException("on purpose"));
        await using var rig = new MainRig();
        WorkerExit end = await rig.End(rig.Main.StartWorker(TestHost.Start("worker-kill", "1", "0").With(router))).ConfigureAwait(false);
        Assert.That(end.LastErrorLines, Has.Some.StartsWith("The link to the main node ended (HandlerFailed"), end.Report);
        Assert.That(end.LastErrorLines, Has.None.Contains("is gone"));
    }

    [Test]
    public async Task Packets_that_nobody_took_are_no_success_unless_they_are_ignored_on_purpose()
    {
        await using var rig = new MainRig();
        WorkerExit end = await rig.End(rig.Main.StartWorker(TestHost.Start("worker-send", "3"))).ConfigureAwait(false);
        Assert.That((end.IsClean, end.AllPacketsHandled, end.IsSuccess, end.Link!.Receipt.Handled, end.Link.Receipt.Unhandled),
            Is.EqualTo((true, false, false, 0L, 3L)), end.Report);
        var ignoring = new PacketRouter().OnUnknown(_ => Task.CompletedTask);
        end = await rig.End(rig.Main.StartWorker(TestHost.Start("worker-send", "3").With(ignoring))).ConfigureAwait(false);
        Assert.That((end.IsSuccess, end.Link!.Receipt.Handled), Is.EqualTo((true, 3L)), end.Report);
    }

    /// <summary>Handlers that throw, are missing, are slow, or meet a malformed packet; workers that close, or are killed at a random moment.
    /// </summary>
    [Promise("Reports", "In every receipt, handled + unhandled + failed + lost packets add up to the packets the worker sent.")]
    [Test]
    public async Task Handled_unhandled_failed_and_lost_add_up_to_what_was_sent()
    {
        int first = Environment.TickCount & 0xFFFFF;
        TestContext.Out.WriteLine($"seeds from {first}");
        await using var report = new MainRig(change: options => options.Link.EndOnHandlerFailure = false);
        await using var ending = new MainRig();
        for (int i = 0; i < Mixtures; i++)
        {
            await AssertMixtureAsync(report, ending, first + i).ConfigureAwait(false);
        }
    }

    private static async Task AssertMixtureAsync(MainRig report, MainRig ending, int seed)
    {
        var dice = new Random(seed);
        bool ignores = dice.Next(2) == 0, clean = dice.Next(2) == 0;
        int throwing = dice.Next(3) == 0 ? dice.Next(2, 50) : 0, count = dice.Next(1, 4000), slow = dice.Next(3) == 0 ? 200 : 0;
        int malformed = dice.Next(5) == 0 ? dice.Next(count) : -1;
        long ran = 0, threw = 0, ignored = 0;
        using var never = new ManualResetEventSlim();
        var router = new PacketRouter().On(NumberPacket.Type, (number, _) =>
        {
            if (slow > 0 && number % slow == 0)
            {
                never.Wait(1);   // a handler that blocks its link
            }

            if (throwing > 0 && number % throwing == 1)
            {
                threw++;
                throw new InvalidOperationException("on purpose");
            }

            ran++;
        });
        if (ignores)
        {
            router.OnUnknown(_ => { ignored++; });
        }

        string book = Path.GetTempFileName();
        try
        {
            File.WriteAllBytes(book, new byte[16]);
            WorkerStartOptions start = TestHost.Start("worker-mix", book, Text(count), Text(seed), clean ? "CLEAN" : "STAY", Text(malformed));
            MainRig rig = dice.Next(2) == 0 ? report : ending;
            var sent = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            WorkerProcess worker = rig.Main.StartWorker(start.With(router, line => sent.TrySetResult(true)));
            if (!clean)
            {
                // Killed while it sends, or when it has sent all.
                await worker.WaitForLinkAsync().Within("the link").ConfigureAwait(false);
                Task moment = dice.Next(2) == 0 ? sent.Task : Until(() => Tried(book) >= dice.Next(count), worker);
                await Task.WhenAny(moment, worker.WaitForExitAsync()).Within("the moment").ConfigureAwait(false);
                worker.Kill();
            }

            WorkerExit end = await worker.WaitForExitAsync().Within("the end").ConfigureAwait(false);
            byte[] pages = File.ReadAllBytes(book);
            long tried = BitConverter.ToInt64(pages, 0), queued = BitConverter.ToInt64(pages, 8);
            LinkReceipt receipt = end.Link!.Receipt;
            string what = $"seed {seed}, {count} packets, clean {clean}, throwing {throwing}, malformed {malformed}, ignores {ignores}: "
                + $"tried {tried}, queued {queued}, ran {ran}, threw {threw}, ignored {ignored}; {end.Report}";
            Assert.Multiple(() =>
            {
                Assert.That(receipt.Handled, Is.EqualTo(ran + ignored), what);
                Assert.That(receipt.HandlerFailures - threw, Is.InRange(0, malformed < 0 ? 0 : 1), what);
                if (end.PacketsLost is { } lost)
                {
                    Assert.That(receipt.Handled + receipt.Unhandled + receipt.HandlerFailures + lost, Is.InRange(queued, tried), what);
                }
                else
                {
                    Assert.That(receipt.Tail?.Problem, Is.Not.Null, what);
                    Assert.That((malformed >= 0, clean), Is.EqualTo((true, false)), "only a tail with a malformed packet is distrusted; " + what);
                }

                Assert.That(end.LastPackets.Select(packet => packet.BeforeEnd), Is.All.AtMost(end.LifeTime), what);
                if (end.AllPacketsHandled)
                {
                    Assert.That(threw, Is.Zero, what);

                    // Killed between a send and its note, it had queued one more.
                    Assert.That(ran + ignored, Is.InRange(queued, clean ? queued : Math.Min(tried, queued + 1)), what);
                }

                if (end.IsClean && threw == 0 && receipt.HandlerFailures == 0 && receipt.Unhandled == 0)
                {
                    Assert.That(end.IsSuccess, Is.True, what);
                }
            });
        }
        finally
        {
            File.Delete(book);
        }
    }

    private static long Tried(string book)
    {
        using var file = new FileStream(book, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        byte[] bytes = new byte[8];
        return file.Read(bytes, 0, 8) == 8 ? BitConverter.ToInt64(bytes, 0) : 0;
    }

    private static Task Until(Func<bool> condition, WorkerProcess worker) => Task.Run(() =>
        SpinWait.SpinUntil(() => condition() || worker.WaitForExitAsync().IsCompleted, WithinExtensions.Bound));

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
