using System;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Processes.Tests.Kit;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Drops;

/// <summary>
/// A program that never looks at what TrySend answers, as a user would write it: what it loses shows in the receipts and in the
/// exit report.
/// </summary>
public sealed class IgnoredAnswerTests
{
    private const int Offered = 200_000;

    [Promise("Reports", "Packets that a sender lost by ignoring `Full` appear in both receipts and in the exit report's first line.")]
    [TestCase(LanePolicy.Refuse, "answered Full {0:N0} times", "answered Full {0}")]
    [TestCase(LanePolicy.Drop, "{0:N0} dropped", "dropped {0}")]
    public async Task Packets_lost_by_ignored_answers_show_in_both_receipts_and_the_exit_reports_first_line(
        LanePolicy policy, string line, string count)
    {
        await using var rig = new MainRig();
        using var held = new ManualResetEventSlim();
        long handled = 0;
        PacketRouter router = new PacketRouter().On(NumberPacket.Type, (_, _) =>
        {
            held.Wait(WithinExtensions.Bound);
            handled++;
        });
        WorkerProcess worker = rig.Main.StartWorker(
            TestHost.Start("worker-ignore", Offered.ToString(CultureInfo.InvariantCulture), policy.ToString())
                .With(router, rig.Lines.Take));
        await rig.Lines.First(line => line.Text == "offered", "offered").ConfigureAwait(false);
        held.Set();
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        LinkReceipt receipt = end.Link!.Receipt;
        long lost = Offered - handled;
        OutputLine own = await rig.Lines.First(line => line.Text.StartsWith("complete: ", StringComparison.Ordinal), "the worker's receipt")
            .ConfigureAwait(false);
        Assert.Multiple(() =>
        {
            Assert.That(lost, Is.GreaterThan(1_000));
            bool isKnown = policy == LanePolicy.Drop;   // what a sender does with the answer Full nobody else knows
            Assert.That((end.PacketsLost + end.PacketsRefused, end.AllPacketsHandled), Is.EqualTo(((long?)lost, !isKnown)));
            Assert.That(end.ToString(), Does.Contain(
                string.Format(CultureInfo.InvariantCulture, " clean, " + line + " after ", lost)));
            Assert.That(receipt.NoLossKnown, Is.EqualTo(!isKnown), "the main node's");
            Assert.That(own.Text, Does.StartWith($"complete: {!isKnown}").And.Contain(
                string.Format(CultureInfo.InvariantCulture, count, lost)), "the worker's");
        });
    }
}
