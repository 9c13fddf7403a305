using System;
using System.Buffers;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>What goes wrong in a program's own code, or in a peer's, by paths that a good day never takes: named, and no wider than it
/// is.</summary>
[TestFixture(WireKinds.Memory)]
[TestFixture(WireKinds.Unix)]
internal sealed class LinkErrorPaths(string wire)
{
    private const int Request = 272, Answer = 273;

    private static readonly PacketType<string> Broken = new(2000, "Broken", new BrokenFormatter());

    [Test]
    public async Task A_request_of_a_number_that_is_in_work_ends_the_link()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter().OnRequest(TestPackets.Text, TestPackets.Text, (_, context) =>
            Task.Delay(Timeout.Infinite, context.CancellationToken).ContinueWith(_ => "never", TaskScheduler.Default)));
        byte[] question = [0x94, 7, 0xcd, 0x04, 0x01, 0xc4, 0x02, 0xa1, (byte)'?', 0xc0];
        peer.Send(2, Request, question);
        peer.Send(2, Request, question);
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That((end.Fault, end.Reason.Contains("Request 7 was asked twice")), Is.EqualTo((TransportFault.PacketMalformed, true)),
            end.ToString());
    }

    [Test]
    public async Task A_question_that_is_no_value_is_answered_so_and_the_link_goes_on()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter().OnRequest(TestPackets.Text, TestPackets.Text, (q, _) => Task.FromResult(q + "!")));
        peer.Send(2, Request, [0x94, 7, 0xcd, 0x04, 0x01, 0xc4, 0x01, 0xc1, 0xc0]);
        byte[] refused = (await peer.ReadUntilAsync(Answer)).Last().Body;
        peer.Send(2, Request, [0x94, 7, 0xcd, 0x04, 0x01, 0xc4, 0x02, 0xa1, (byte)'?', 0xc0]);
        byte[] answered = (await peer.ReadUntilAsync(Answer)).Last().Body;
        Assert.That(refused.Take(4), Is.EqualTo(new byte[] { 0x94, 7, 1, 0xc0 }), "its number, failed, no value, and why");
        Assert.That(answered, Is.EqualTo(new byte[] { 0x94, 7, 0, 0xc4, 3, 0xa2, (byte)'?', (byte)'!', 0xc0 }));
    }

    [Test]
    public async Task An_answer_that_is_too_large_for_who_asked_is_a_failure_with_its_cause()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, worker: options => options.MaxPacketBytes = 64 << 10);
        rig.Main.Start(new PacketRouter()
            .OnRequest(TestPackets.Text, TestPackets.Text, (q, _) => Task.FromResult(new string('x', int.Parse(q)))));
        rig.Worker.Start(new PacketRouter());
        TransportException? failed = null;
        try
        {
            await rig.Worker.RequestAsync(TestPackets.Text, TestPackets.Text, "100000").Within("the answer");
        }
        catch (TransportException reported)
        {
            failed = reported;
        }

        Assert.That(failed!.Fault, Is.EqualTo(TransportFault.RequestFailed));
        Assert.That(failed.Message, Does.Contain("65536"));
        Assert.That(await rig.Worker.RequestAsync(TestPackets.Text, TestPackets.Text, "3").Within("the next answer"), Is.EqualTo("xxx"));
    }

    [Test]
    public async Task A_callback_of_a_cancelled_request_that_throws_harms_nobody()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var thrown = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter().OnRequest(TestPackets.Text, TestPackets.Text, async (q, context) =>
        {
            if (q == "now")
            {
                return q;
            }

            context.CancellationToken.Register(() =>
            {
                thrown.TrySetResult(true);
                throw new InvalidOperationException("the handler's own");
            });
            began.TrySetResult(true);
            await Task.Delay(Timeout.Infinite, context.CancellationToken);
            return q;
        }));
        rig.Worker.Start(new PacketRouter());
        using var cancellation = new CancellationTokenSource();
        Task<string> asked = rig.Worker.RequestAsync(TestPackets.Text, TestPackets.Text, "later", cancellationToken: cancellation.Token);
        await began.Task.Within("the handler");
        cancellation.Cancel();
        await thrown.Task.Within("the callback");
        Assert.That(async () => await asked, Throws.InstanceOf<OperationCanceledException>());
        Assert.That(await rig.Worker.RequestAsync(TestPackets.Text, TestPackets.Text, "now").Within("the next answer"), Is.EqualTo("now"));
    }

    [Test]
    public async Task A_formatter_that_throws_as_it_reads_ends_the_link_by_its_name()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter().On(Broken, (_, _) => { }));
        rig.Worker.Start(new PacketRouter());
        _ = rig.Worker.TrySendRaw(Broken.Id, [0xc0]);
        LinkEnd end = await rig.Main.Completion.Within("the end");
        Assert.That((end.Fault, end.Reason), Is.EqualTo(
            (TransportFault.HandlerFailed, "The formatter of packet Broken (2000) threw InvalidOperationException: no such shape")));
    }

    [Test]
    public async Task A_raw_handler_that_throws_at_once_ends_the_link_by_its_type()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter().OnRaw(2000, (RawPacketHandler)(_ => throw new InvalidOperationException("no capacity"))));
        rig.Worker.Start(new PacketRouter());
        _ = rig.Worker.TrySendRaw(2000, [0xc0]);
        LinkEnd end = await rig.Main.Completion.Within("the end");
        Assert.That((end.Fault, end.Reason),
            Is.EqualTo((TransportFault.HandlerFailed, "The handler of packet type 2000 threw InvalidOperationException: no capacity")));
    }

    [Test]
    public async Task A_level_callback_that_throws_ends_the_link_by_its_name()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Worker.LevelsChanged += (_, _) => throw new InvalidOperationException("no such level");
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter());
        rig.Main.SetLevels(new LevelRules(PacketLevel.Warning));
        LinkEnd end = await rig.Worker.Completion.Within("the end");
        Assert.That((end.Fault, end.Reason), Is.EqualTo(
            (TransportFault.HandlerFailed, "The handler of packet SetLevel (8) threw InvalidOperationException: no such level")));
    }

    [Test]
    public async Task Bytes_that_no_caller_may_send_are_refused_before_they_are_queued()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        foreach (ushort type in (ushort[])[0, 255, Request, Answer, 274, 259, 260, 261])
        {
            Assert.That(() => _ = rig.Worker.TrySendRaw(type, [0xc0]),
                Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains($"{type}"));
            Assert.That(() => _ = rig.Worker.SendRaw(type, [0xc0], default), Throws.InstanceOf<ArgumentOutOfRangeException>());
            Assert.That(() => _ = rig.Worker.SendRawAsync(type, new byte[] { 0xc0 }), Throws.InstanceOf<ArgumentOutOfRangeException>());
        }

        Assert.That(() => _ = rig.Worker.TrySendRaw(2000, []), Throws.ArgumentException.With.Message.Contains("2000 is empty"));
    }

    [TestCase("at once")]
    [TestCase("blocking")]
    [TestCase("awaiting")]
    public async Task Bytes_are_sent_in_three_ways(string how)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var came = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter().OnRaw(2000, packet => came.SetResult(packet.Body.ToArray())));
        rig.Worker.Start(new PacketRouter());
        byte[] body = [0x93, 1, 2, 3];
        SendResult result = how == "at once" ? rig.Worker.TrySendRaw(2000, body)
            : how == "blocking" ? rig.Worker.SendRaw(2000, body, WithinExtensions.Bound)
            : await rig.Worker.SendRawAsync(2000, body);
        Assert.That(result, Is.EqualTo(SendResult.Queued));
        Assert.That(await came.Task.Within("the packet"), Is.EqualTo(body));
    }

    [Test]
    public async Task Bytes_that_find_no_capacity_in_a_lane_that_drops_are_counted()
    {
        (RawPeer peer, Link main) =
            await RawPeer.OpenAsync(wire, options => (options.MaxQueuedBytes, options.NormalPolicy) = (64 << 10, LanePolicy.Drop));
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        byte[] body = [0xc5, 0x4e, 0x20, .. new byte[20_000]];
        long dropped = 0;
        for (int i = 0; i < 100_000 && dropped < 5; i++)
        {
            dropped += main.TrySendRaw(2000, body) == SendResult.Full ? 1 : 0;
        }

        Assert.That(dropped, Is.EqualTo(5), "the peer does not read");
        Assert.That((main.Receipt.Dropped, main.Receipt.DroppedByLevel[PacketLevel.None]), Is.EqualTo((5L, 5L)));
        main.Abort("done");
    }

    private sealed class BrokenFormatter : IPacketFormatter<string>
    {
        public void Write(IBufferWriter<byte> output, string packet) => throw new NotSupportedException();

        public string Read(in ReadOnlySequence<byte> body) => throw new InvalidOperationException("no such shape");
    }
}
