using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Packets that know their type: nobody names it, neither to send nor to handle nor to ask.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed partial class LinkKnownPackets(string wire)
{
    [TestCase("at once")]
    [TestCase("blocking")]
    [TestCase("awaiting")]
    [TestCase("over the interface")]
    public async Task A_packet_is_sent_and_handled_by_its_type_alone(string how)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var came = new TaskCompletionSource<(Note Note, Lane Lane, string Node)>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter().On<Note>((note, context) => came.SetResult((note, context.Lane, context.Node))));
        rig.Worker.Start(new PacketRouter());
        var note = new Note("compiled");
        IPacketSender sender = rig.Worker;
        SendResult result = how switch
        {
            "at once" => rig.Worker.TrySend(note),
            "blocking" => rig.Worker.Send(note, WithinExtensions.Bound),
            "awaiting" => await rig.Worker.SendAsync(note),
            _ => sender.TrySend(note),
        };
        Assert.That(result, Is.EqualTo(SendResult.Queued));
        Assert.That(await came.Task.Within("the packet"), Is.EqualTo((note, Lane.Bulk, rig.Main.PeerName)));
    }

    [Test]
    public async Task Every_kind_of_handler_gets_its_packet_and_is_awaited()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var came = new List<string>();
        using var all = new SemaphoreSlim(0);
        void Add(string text)
        {
            came.Add(text);
            all.Release();
        }

        rig.Main.Start(new PacketRouter()
            .On<Note>(note => Add(note.Text))
            .On<First>(async (packet, context) =>
            {
                await Task.Delay(TimeSpan.FromMilliseconds(20), context.CancellationToken);
                Add(packet.Text);
            })
            .On<Second>(async packet =>
            {
                await Task.Yield();
                Add(packet.Text);
            })
            .OnUnknownAsync(async packet =>
            {
                await Task.Yield();
                Add($"{packet.Packet.Type}");
            }));
        rig.Worker.Start(new PacketRouter());
        _ = rig.Worker.TrySend(new First("first"), Lane.Normal);
        _ = rig.Worker.TrySend(new Second("second"), Lane.Normal);
        _ = rig.Worker.TrySend(new Note("third"), Lane.Normal);
        _ = rig.Worker.TrySendRaw(2000, [0xc0]);
        for (int i = 0; i < 4; i++)
        {
            Assert.That(await all.WaitAsync(WithinExtensions.Bound), Is.True);
        }

        Assert.That(came, Is.EqualTo(new[] { "first", "second", "third", "2000" }));
    }

    [Test]
    public async Task A_question_says_what_its_answer_is()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter().OnRequest<Question, Note>((question, context) =>
            Task.FromResult(new Note($"{question.Text}, {context.Node}, {context.CancellationToken.CanBeCanceled}"))));
        rig.Worker.Start(new PacketRouter());
        Note answer = await rig.Worker.RequestAsync(new Question("who"), WithinExtensions.Bound).Within("the answer");
        Assert.That(answer.Text, Is.EqualTo($"who, {rig.Main.PeerName}, True"));
    }

    [Test]
    public async Task A_handler_answers_over_the_link_that_its_packet_came_by()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var answered = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter().On<Note>(async (note, context) =>
        {
            _ = await context.Sender.SendAsync(new Second(note.Text + "!"), context.CancellationToken);
        }));
        rig.Worker.Start(new PacketRouter().On<Second>(packet => answered.SetResult(packet.Text)));
        Assert.That(rig.Worker.TrySend(new Note("ping")), Is.EqualTo(SendResult.Queued));
        Assert.That(await answered.Task.Within("the answer"), Is.EqualTo("ping!"));
    }

    [Test]
    public async Task A_handler_that_waits_on_the_contexts_token_ends_with_its_link()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var entered = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var ended = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter().On<Note>(async (_, context) =>
        {
            entered.SetResult(true);
            try
            {
                await Task.Delay(Timeout.InfiniteTimeSpan, context.CancellationToken);
            }
            finally
            {
                ended.SetResult(true);
            }
        }));
        rig.Worker.Start(new PacketRouter());
        Assert.That(rig.Worker.TrySend(new Note("wait")), Is.EqualTo(SendResult.Queued));
        await entered.Task.Within("the handler");
        rig.Main.Abort("enough");
        await ended.Task.Within("the handler's end");
        LinkEnd end = await rig.Main.Completion.Within("the end");
        Assert.That(end.Fault, Is.EqualTo(TransportFault.Aborted), end.ToString());
    }

    [Test]
    public async Task Nothing_is_no_packet()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        Assert.That(() => rig.Worker.TrySend((Note)null!), Throws.ArgumentNullException);
        Assert.That(() => rig.Worker.RequestAsync<Note>(null!), Throws.ArgumentNullException);
        Assert.That(() => new PacketRouter().On((Action<Note>)null!), Throws.ArgumentNullException);
    }

    [Packet(1040, Lane = Lane.Bulk)]
    internal sealed partial record Note(string Text);

    [Packet(1041)]
    internal sealed partial class First(string text)
    {
        public string Text { get; } = text;
    }

    [Packet(1042)]
    internal readonly partial record struct Second(string Text);

    [Packet(1043)]
    internal sealed partial record Question(string Text) : IRequest<Note>;
}
