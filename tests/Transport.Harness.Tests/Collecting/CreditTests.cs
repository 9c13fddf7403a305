using System;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Collecting;
using BuildHarness.Packets;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport;
using Transport.MSBuild;
using Transport.Testing;
using Transport.Testing.Wires;

namespace BuildHarness.Tests.Collecting;

/// <summary>What a worker waits for comes, also if the link to it had no capacity when it was due.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class CreditTests
{
    /// <summary>More than a window: the worker cannot go on without credit. And little: it only waits for the answer.</summary>
    [Test]
    public async Task Credit_and_answers_that_find_no_capacity_come_once_there_is_some([Values(3_000_000, 10)] int bytes)
    {
        await using var rig = new CollectRig(new LinkOptions { MaxQueuedBytes = 64 << 10 });
        using var goesOn = new ManualResetEventSlim();
        var granted = new TaskCompletionSource();
        PacketRouter others = new PacketRouter()
            .On<StopWork>(_ => goesOn.Wait(WithinExtensions.Bound))
            .On<ReplayFile>(_ => granted.SetResult());
        (Link link, OutputSender sender) = await rig.ConnectAsync("n1", grants: true, others);
        Assert.That(rig.Main.TrySend(ReplayFile.PacketType, new ReplayFile("behind the credit", 0)), Is.EqualTo(SendResult.Queued));
        await granted.Task.Within("the credit");
        try
        {
            // The worker's receive loop stands still, and all capacity between the main node and it is taken.
            await FillAsync(rig.Main);
            NodeOutputs outputs = rig.Collection.Of("n1");
            rig.Collection.Begin("n1", rig.Projects[0]);
            long before = rig.Main.Counters.PacketsReceived;
            Task sending = CollectRig.SendAsync(sender, link, 0, rig.Output("a", new string('x', bytes)));

            // A window full of chunks behind the file's begin; or begin, bytes, end and the project's end.
            int most = bytes == 10 ? 4 : 1 + (CollectWindow.Of(2) / CollectWindow.CostOf(CollectWindow.ChunkBytes));
            await Wait.UntilAsync(() => rig.Main.Counters.PacketsReceived - before == most && outputs.Held == 0,
                "the collector has taken what was granted");
            Assert.That(sending.IsCompleted, Is.False);
            goesOn.Set();
            await sending.Within("the outputs");
        }
        finally
        {
            goesOn.Set();
        }

        Assert.That(rig.Failed.IsCompleted, Is.False);
    }

    [Test]
    public async Task A_sender_that_waits_for_credit_goes_on_with_it_and_ends_when_it_is_cancelled()
    {
        var window = new CreditWindow();
        using var stopped = new CancellationTokenSource();
        Task waits = Take(3);
        window.Add(2);
        Assert.That(window.Waits, Is.True, "2 are not enough");
        window.Add(1);
        await waits.Within("the credit");
        Assert.That(window.Waits, Is.False);

        waits = Take(1);
        await stopped.CancelAsync().Within("the cancellation");
        await Assert.ThrowsAsync(Is.InstanceOf<OperationCanceledException>(), () => waits.Within("the end"));
        window.Add(1);
        window.Take(1, default);   // what was not taken is still there

        Task Take(int bytes)
        {
            Task taking = Task.Factory.StartNew(() => window.Take(bytes, stopped.Token), CancellationToken.None,
                TaskCreationOptions.LongRunning, TaskScheduler.Default);
            SpinWait.SpinUntil(() => window.Waits, WithinExtensions.Bound);
            return taking;
        }
    }

    /// <summary>Sends until not even the least finds capacity, and finds none a while later either: the wire takes no more.</summary>
    private static async Task FillAsync(Link main)
    {
        var large = new StopWork(new string('x', 4000));
        var least = new StopWork(string.Empty);
        int full = 0;
        await Wait.UntilAsync(
            () =>
            {
                bool isFull = main.TrySend(StopWork.PacketType, least) == SendResult.Full;
                full = isFull ? full + 1 : 0;
                while (main.TrySend(StopWork.PacketType, large) == SendResult.Queued)
                {
                }

                while (main.TrySend(StopWork.PacketType, least) == SendResult.Queued)
                {
                }

                return full >= 5;
            },
            "there is no capacity");
    }
}
