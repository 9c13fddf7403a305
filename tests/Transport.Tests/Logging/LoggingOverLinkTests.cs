using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Tests.Logging;

/// <summary>From ILogger to the main node's console over a real link.</summary>
public sealed class LoggingOverLinkTests
{
    [Test]
    public async Task Everything_logged_is_shown_in_order_and_acknowledged()
    {
        var shown = new StringWriter { NewLine = "\n" };
        await using LinkRig rig =
            await LinkRig.OpenAsync("memory", worker: o => o.UseTables = false).ConfigureAwait(false);
        rig.Main.Start(new ConsoleSink(shown).AddTo(new PacketRouter()));
        rig.Worker.Start(new PacketRouter());
        using (ILoggerFactory loggers = LoggerFactory.Create(builder => builder.AddTransport(rig.Worker)))
        {
            ILogger log = loggers.CreateLogger("Compiler");
            for (int i = 0; i < 1000; i++)
            {
                log.LogDebug("Compiled {File}", $"File{i}.cs");
            }
        }

        Assert.That(rig.Worker.Log(LogLevel.Critical, "Link", "direct\nsecond", new InvalidOperationException("why")),
            Is.EqualTo(SendResult.Queued));
        Assert.That(rig.Worker.Report(1, 5, 10, "half"), Is.EqualTo(SendResult.Queued));
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close").ConfigureAwait(false);
        IEnumerable<string> expected = Enumerable.Range(0, 1000).Select(i => $"w1 Debug Compiler: Compiled File{i}.cs").Concat(
        [
            "w1 Critical Link: direct", "w1 Critical Link: second", "w1 Critical Link: System.InvalidOperationException: why",
                "w1 progress 1: 5/10 half", string.Empty,
        ]);
        Assert.That(shown.ToString().Split('\n'), Is.EqualTo(expected));
        Assert.That((end.IsClean, end.Receipt.Sent, end.Receipt.NoLossKnown), Is.EqualTo((true, 1002L, true)));
    }

    [Test]
    public async Task The_level_that_the_main_node_reports_holds_at_once_and_changes_live()
    {
        await using LinkRig rig = await LinkRig.OpenAsync("memory", main: o => o.MinimumLevel = PacketLevel.Warning).ConfigureAwait(false);
        rig.Main.Start(new PacketRouter());
        var changed = new TaskCompletionSource<PacketLevel>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Worker.LevelsChanged += (_, levels) => changed.SetResult(levels.Least);
        rig.Worker.Start(new PacketRouter());
        ILogger log = new TransportLoggerProvider(rig.Worker).CreateLogger("c");
        Assert.That((log.IsEnabled(LogLevel.Information), log.IsEnabled(LogLevel.Warning)), Is.EqualTo((false, true)));
        rig.Main.SetLevels(new LevelRules(PacketLevel.Debug));
        Assert.That(await changed.Task.Within("the new level").ConfigureAwait(false), Is.EqualTo(PacketLevel.Debug));
        Assert.That((log.IsEnabled(LogLevel.Trace), log.IsEnabled(LogLevel.Debug)), Is.EqualTo((false, true)));
    }

    [Test]
    public async Task A_logger_that_waits_for_capacity_loses_nothing_while_the_main_node_is_slow()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(
            "memory", worker: o => (o.MaxQueuedBytes, o.UseTables) = (64 << 10, false)).ConfigureAwait(false);
        var provider = new TransportLoggerProvider(rig.Worker, new TransportLoggerOptions
        {
            WaitWhenFull = WithinExtensions.Bound,
        });
        ILogger log = provider.CreateLogger("c");
        string text = new('x', 10_000);
        int handled = 0;
        rig.Worker.Start(new PacketRouter());

        // Far more than the wire and the queue hold: it waits until the main node reads.
        Task logging = WireReading.OnThread(() =>
        {
            for (int i = 0; i < 500; i++)
            {
                log.LogWarning("{Text}", text);
            }
        });
        Assert.That(System.Threading.SpinWait.SpinUntil(() => rig.Worker.Counters.QueuedBytes > 40_000, WithinExtensions.Bound), Is.True,
            "the queue is full");
        rig.Main.Start(new PacketRouter().On<LogEvent>(_ => handled++));
        await logging.Within("the log calls").ConfigureAwait(false);
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close").ConfigureAwait(false);
        await rig.Main.Completion.Within("the main node's end").ConfigureAwait(false);
        Assert.That((provider.Dropped, handled, end.Receipt.NoLossKnown), Is.EqualTo((0L, 500, true)), end.Receipt.ToString());
    }

    [Test]
    public async Task A_logger_that_waited_in_vain_drops_the_event_and_both_receipts_say_so()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(
            "memory", worker: o => (o.MaxQueuedBytes, o.UseTables) = (64 << 10, false)).ConfigureAwait(false);
        var provider = new TransportLoggerProvider(rig.Worker, new TransportLoggerOptions
        {
            WaitWhenFull = TimeSpan.FromMilliseconds(20),
        });
        ILogger log = provider.CreateLogger("c");
        string text = new('x', 10_000);
        for (int i = 0; provider.Dropped < 2 && i < 10_000; i++)
        {
            log.LogWarning("{Text}", text);
        }

        rig.Main.Start(new PacketRouter().On<LogEvent>(_ => { }));
        rig.Worker.Start(new PacketRouter());
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close").ConfigureAwait(false), main = await rig.Main.Completion
            .Within("the main node's end").ConfigureAwait(false);
        Assert.That((provider.DroppedOf(LogLevel.Warning), end.Receipt.Dropped, main.Receipt.PeerDropped, end.Receipt.NoLossKnown,
            main.Receipt.NoLossKnown), Is.EqualTo((2L, 2L, 2L, false, false)), "a logger gives up what finds no capacity: that is a loss");
    }

    [Test]
    public void A_negative_wait_is_refused()
    {
        var options = new TransportLoggerOptions();
        Assert.That(options.WaitWhenFull, Is.EqualTo(TimeSpan.Zero));
        Assert.That(() => options.WaitWhenFull = TimeSpan.FromSeconds(-5), Throws.TypeOf<ArgumentOutOfRangeException>());
        options.WaitWhenFull = System.Threading.Timeout.InfiniteTimeSpan;
        Assert.That(options.WaitWhenFull, Is.EqualTo(System.Threading.Timeout.InfiniteTimeSpan));
    }

    [Test]
    public async Task A_full_queue_drops_counts_and_reports_the_main_node()
    {
        await using LinkRig rig = await LinkRig.OpenAsync("memory", worker: o =>
            (o.MaxQueuedBytes, o.NormalPolicy, o.UseTables) = (64 << 10, LanePolicy.Drop, false))
                .ConfigureAwait(false);
        var provider = new TransportLoggerProvider(rig.Worker);
        ILogger log = provider.CreateLogger("c");
        string text = new('x', 10_000);

        // The main node does not read yet: the wire takes some, then the queue is full.
        int logged = 0;
        while (provider.Dropped < 10 && logged < 10_000)
        {
            logged++;
            log.LogWarning("{Text}", text);
        }

        rig.Main.Start(new PacketRouter().On<LogEvent>(_ => { }));
        rig.Worker.Start(new PacketRouter());
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close").ConfigureAwait(false);
        LinkEnd main = await rig.Main.Completion.Within("the main node's end").ConfigureAwait(false);
        Assert.Multiple(() =>
        {
            Assert.That(provider.DroppedOf(LogLevel.Warning), Is.EqualTo(10));
            Assert.That(end.Receipt.Sent, Is.EqualTo(logged - 10));
            Assert.That(end.Receipt.DroppedByLevel[PacketLevel.Warning], Is.EqualTo(10));
            Assert.That(main.Receipt.PeerDropped, Is.EqualTo(10));
            Assert.That(end.Receipt.NoLossKnown, Is.False);
        });
        Assert.That(() => log.LogError("after the end"), Throws.Nothing);
        Assert.That(provider.DroppedOf(LogLevel.Error), Is.EqualTo(1));
    }
}
