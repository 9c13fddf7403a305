using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Silence and deadlines, by a clock that the test owns.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkLiveness(string wire)
{
    [Test]
    public async Task A_Ping_after_five_seconds_and_timeout_after_thirty_without_a_frame()
    {
        var clock = new ManualClock();
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.TimeProvider = clock);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        await ReadingAsync(peer);
        clock.Advance(TimeSpan.FromSeconds(4.9));
        peer.Send(0, RawPeer.Ping, Bodies.Map(("id", 1)));
        Assert.That((await peer.ReadAsync()).Type, Is.EqualTo(RawPeer.Pong), "no Ping before its time");
        await ReadingAsync(peer);
        clock.Advance(TimeSpan.FromSeconds(5 + 1.25));
        RawFrame ping = await peer.ReadAsync();
        Assert.That(ping.Type, Is.EqualTo(RawPeer.Ping));
        Assert.That(ping.Map.ContainsKey("id"), Is.True);
        clock.Advance(TimeSpan.FromSeconds(23));
        Assert.That(main.State(), Is.EqualTo(LinkState.Open), "29.25 s of silence are not 30");

        // Just past the next look at the clock, and no further: an ended link gives its last packets 250 ms by the same clock.
        clock.Advance(TimeSpan.FromSeconds(0.9));
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That(end.Fault, Is.EqualTo(TransportFault.Timeout), end.ToString());
        Assert.That(end.Reason, Does.Contain("30 s").And.Contain("SilenceTimeout"));
        System.Collections.Generic.List<RawFrame> last = await peer.ReadToEndAsync();
        Assert.That(last[last.Count - 1].Map["reason"], Is.EqualTo("Timeout"));
    }

    [Test]
    public async Task A_process_that_was_stopped_asks_and_listens_before_it_blames_the_peer([Values] bool answers)
    {
        var clock = new ManualClock();
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.TimeProvider = clock);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        await ReadingAsync(peer);
        clock.Jump(TimeSpan.FromMinutes(5));
        Assert.That((await peer.ReadAsync()).Type, Is.EqualTo(RawPeer.Ping), "one heartbeat more to hear what has come meanwhile");
        if (answers)
        {
            await ReadingAsync(peer);
            clock.Advance(TimeSpan.FromSeconds(20));
            Assert.That(main.State(), Is.EqualTo(LinkState.Open));
        }
        else
        {
            clock.Advance(TimeSpan.FromSeconds(1.3));
            Assert.That((await main.Completion.Within("the end")).Fault, Is.EqualTo(TransportFault.Timeout));
        }
    }

    [Test]
    public async Task Bytes_of_a_frame_that_never_ends_are_silence_too()
    {
        var clock = new ManualClock();
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.TimeProvider = clock);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        await ReadingAsync(peer);
        byte[] frame = RawFrame.Bytes(2, 2000, Bodies.Value(new byte[50]));
        long before = main.Counters.BytesReceived;
        for (int i = 0; i < 6; i++)
        {
            peer.SendBytes([frame[i]]);
            Assert.That(SpinWait.SpinUntil(() => main.Counters.BytesReceived == before + i + 1, WithinExtensions.Bound), Is.True);
            Assert.That(main.Completion.IsCompleted, Is.False);
            clock.Advance(TimeSpan.FromSeconds(5));
        }

        clock.Advance(TimeSpan.FromSeconds(1.25));
        Assert.That((await main.Completion.Within("the end")).Fault, Is.EqualTo(TransportFault.Timeout));
    }

    [Test]
    public async Task A_side_whose_handler_is_busy_sends_pings_and_does_not_blame_the_peer()
    {
        var clock = new ManualClock();
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.TimeProvider = clock);
        await using RawPeer rawPeer = peer;
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var gate = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        main.Start(new PacketRouter().OnRawAsync(2000, async _ =>
        {
            began.TrySetResult(true);
            await gate.Task;
        }));
        peer.Send(2, 2000, [0xc0]);
        await began.Task.Within("the handler");
        clock.Advance(TimeSpan.FromSeconds(200));
        Assert.That((await peer.ReadAsync()).Type, Is.EqualTo(RawPeer.Ping));
        Assert.That(main.State(), Is.EqualTo(LinkState.Open));
        gate.SetResult(true);
        await peer.ReadUntilAsync(RawPeer.Ack);
        clock.Advance(TimeSpan.FromSeconds(4));
        Assert.That(main.State(), Is.EqualTo(LinkState.Open), "silence counts from when it reads again");
        peer.SendGoodbye(1);
        await peer.ReadUntilAsync(RawPeer.Goodbye);
        peer.Wire.Shutdown();
        Assert.That((await main.Completion.Within("the end")).IsClean, Is.True);
    }

    [Test]
    public async Task Two_quiet_links_keep_each_other_alive()
    {
        var clock = new ManualClock();
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.TimeProvider = clock, o => o.TimeProvider = clock);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter());
        for (int i = 0; i < 30; i++)
        {
            long main = rig.Main.Counters.BytesReceived;
            long worker = rig.Worker.Counters.BytesReceived;
            clock.Advance(TimeSpan.FromSeconds(6.25));
            Assert.That(SpinWait.SpinUntil(() => rig.Main.Counters.BytesReceived > main && rig.Worker.Counters.BytesReceived > worker,
                WithinExtensions.Bound), Is.True, "a Ping and its Pong");
        }

        Assert.That((rig.Main.State(), rig.Worker.State()), Is.EqualTo((LinkState.Open, LinkState.Open)));
    }

    [Test]
    public async Task Set_level_changes_the_workers_level_live()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.MinimumLevel = PacketLevel.Information);
        Assert.That(rig.Worker.Levels.Least, Is.EqualTo(PacketLevel.Information), "reported by Welcome");
        var reported = new TaskCompletionSource<PacketLevel>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Worker.LevelsChanged += (_, levels) => reported.TrySetResult(levels.Least);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter());
        Assert.That(rig.Main.SetLevels(new LevelRules(PacketLevel.Critical)), Is.True);
        Assert.That(await reported.Task.Within("the level"), Is.EqualTo(PacketLevel.Critical));
        Assert.That(rig.Worker.Levels.Least, Is.EqualTo(PacketLevel.Critical));
        Assert.That(() => rig.Main.SetLevels(new LevelRules((PacketLevel)7)), Throws.InstanceOf<ArgumentOutOfRangeException>());
        await rig.Main.CloseAsync().Within("the close");
        Assert.That(rig.Main.SetLevels(new LevelRules(PacketLevel.Debug)), Is.False);
    }

    [Test]
    public async Task Levels_by_category_reach_the_worker_and_are_replaced_as_a_whole()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.MinimumLevel = PacketLevel.Information);
        var reported = new System.Collections.Concurrent.BlockingCollection<PacketLevel>();
        rig.Worker.LevelsChanged += (_, changed) => reported.Add(changed.Least);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter());
        var longest = new string('x', LevelRules.MaxCategoryLength - 5);
        IEnumerable<KeyValuePair<string, PacketLevel>> rules = Enumerable.Range(0, LevelRules.MaxCategories - 1)
            .Select(i => new KeyValuePair<string, PacketLevel>($"{i:d5}{longest}", PacketLevel.Error))
            .Append(new("Build", PacketLevel.Debug));
        Assert.That(rig.Main.SetLevels(new LevelRules(PacketLevel.Warning, rules)), Is.True);
        Assert.That(reported.TryTake(out PacketLevel least, WithinExtensions.Bound) ? least : default, Is.EqualTo(PacketLevel.Debug));
        LevelRules levels = rig.Worker.Levels;
        Assert.That(
            (rig.Worker.Levels.Least, levels.Default, levels.Of("build.Core"), levels.Of("Restore"), levels.Categories.Count),
            Is.EqualTo((PacketLevel.Debug, PacketLevel.Warning, PacketLevel.Debug, PacketLevel.Warning, LevelRules.MaxCategories)));
        Assert.That(rig.Main.SetLevels(new LevelRules(PacketLevel.Critical)), Is.True);
        Assert.That(reported.TryTake(out least, WithinExtensions.Bound) ? least : default, Is.EqualTo(PacketLevel.Critical));
        Assert.That((rig.Worker.Levels.Of("Build"), levels.Of("Build")), Is.EqualTo((PacketLevel.Critical, PacketLevel.Debug)));
    }

    [Test]
    public async Task A_connection_that_says_nothing_or_dribbles_has_one_deadline_for_all_of_Hello([Values(true, false)] bool dribbles)
    {
        var clock = new ManualClock();
        await using RawPeer peer = await RawPeer.ConnectAsync(wire, o => o.TimeProvider = clock);
        byte[] hello = RawFrame.Bytes(0, RawPeer.Hello, RawPeer.HelloBody(peer.Secret));
        int said = wire == WireKinds.Inherited ? 1 : 0;   // before its first byte a child starts, under MainNodeOptions.ConnectTimeout
        if (said > 0)
        {
            peer.SendBytes([hello[0]]);
        }

        Assert.That(SpinWait.SpinUntil(() => clock.Armed > 0, WithinExtensions.Bound), Is.True);
        for (int i = 0; i < 9; i++)
        {
            clock.Advance(TimeSpan.FromSeconds(1));
            if (dribbles)
            {
                peer.SendBytes([hello[i + said]]);
            }
        }

        Assert.That(peer.Listener.RefusedConnections, Is.Zero);
        clock.Advance(TimeSpan.FromSeconds(1));
        Assert.That(await peer.ReadToEndAsync(), Is.Empty, "closed without a word");
        Assert.That(peer.Refused.TryTake(out RefusedConnection? refused, WithinExtensions.Bound), Is.True);
        Assert.That(refused!.Code, Is.EqualTo("HandshakeTimeout"));
        Assert.That(refused.Message, Does.Contain("10 s"));
    }

    [Test]
    public async Task Who_connects_waits_ten_seconds_for_Welcome()
    {
        var clock = new ManualClock();
        using WireRig rig = WireKinds.Open(wire);
        (IWire server, IWire client) = await rig.PairAsync();
        using (server)
        {
            Task<Link> connecting = LinkConnector.ConnectAsync(client, LinkSecret.Create(), new LinkOptions { TimeProvider = clock });
            byte[] head = await server.ReadExactlyAsync(10);
            await server.ReadExactlyAsync(RawFrame.Length(head, 0));
            Assert.That(connecting.IsCompleted, Is.False);
            clock.Advance(TimeSpan.FromSeconds(10));
            TransportException? late = await Assert.ThrowsAsync<TransportException>(async () => await connecting.Within("the timeout"));
            Assert.That(late!.Fault, Is.EqualTo(TransportFault.HandshakeTimeout));
        }
    }

    /// <summary>Waits until the link has read a packet and waits for more.</summary>
    private static async Task ReadingAsync(RawPeer peer)
    {
        peer.Send(2, 2000, [0xc0]);
        await peer.ReadUntilAsync(RawPeer.Ack);
    }
}
