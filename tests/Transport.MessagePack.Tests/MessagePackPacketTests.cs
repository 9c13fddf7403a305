using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using MessagePack;
using NUnit.Framework;
using Transport.Journal;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.MessagePackTests;

/// <summary>Types that MessagePack-CSharp serializes, on links as packets of Transport.</summary>
internal sealed class MessagePackPacketTests
{
    private static readonly PacketType<Measured> Type = MessagePackPacket.Of<Measured>(1024, level: one => (PacketLevel)one.Level);

    [TestCase(WireKinds.Memory)]
    [TestCase(WireKinds.Unix)]
    public async Task Objects_arrive_in_order_as_they_were(string wire)
    {
        var received = new List<Measured>();
        await using (LinkRig rig = await LinkRig.OpenAsync(wire))
        {
            rig.Main.Start(new PacketRouter().On(Type, (one, _) => received.Add(one)));
            rig.Worker.Start(new PacketRouter());
            for (int i = 0; i < 1000; i++)
            {
                Assert.That(await rig.Worker.SendAsync(Type, Some(i)), Is.EqualTo(SendResult.Queued));
            }

            await rig.Worker.CloseAsync().Within("the close");
        }

        Assert.That(received.Select(one => one.ToString()), Is.EqualTo(Enumerable.Range(0, 1000).Select(i => Some(i).ToString())));
    }

    [Test]
    public async Task An_object_larger_than_a_frame_arrives_and_one_larger_than_the_limit_is_refused_as_any_packet()
    {
        var received = new TaskCompletionSource<Measured>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using LinkRig rig = await LinkRig.OpenAsync(WireKinds.Memory, main: options => options.MaxPacketBytes = 1 << 20);
        rig.Main.Start(new PacketRouter().On(Type, (one, _) => received.TrySetResult(one)));
        rig.Worker.Start(new PacketRouter());
        Measured tooLarge = Some(1);
        tooLarge.Parts = [.. Enumerable.Repeat(new string('p', 1000), 1100)];
        TransportException fault = Assert.Throws<TransportException>(() => _ = rig.Worker.TrySend(Type, tooLarge))!;
        Assert.That(fault.Fault, Is.EqualTo(TransportFault.PacketTooLarge), fault.Message);
        Measured large = Some(2);
        large.Parts = [.. Enumerable.Repeat(new string('p', 1000), 900)];
        Assert.That(rig.Worker.TrySend(Type, large), Is.EqualTo(SendResult.Queued));
        Assert.That((await received.Task.Within("the packet")).ToString(), Is.EqualTo(large.ToString()));
    }

    [Test]
    public async Task A_request_has_such_questions_and_answers()
    {
        PacketType<Doubled> answer = MessagePackPacket.Of<Doubled>(1025);
        await using LinkRig rig = await LinkRig.OpenAsync(WireKinds.Memory);
        rig.Main.Start(new PacketRouter()
            .OnRequest(Type, answer, (question, _) => Task.FromResult(new Doubled { Value = 2 * question.Value })));
        rig.Worker.Start(new PacketRouter());
        Doubled doubled = await rig.Worker.RequestAsync(Type, answer, Some(21)).Within("the answer");
        Assert.That(doubled.Value, Is.EqualTo(42));
    }

    [Test]
    public async Task A_journal_keeps_them_and_raw_handlers_see_plain_MessagePack()
    {
        using var folder = new TemporaryFolder();
        await using (PacketJournal journal = PacketJournal.Open(folder.Path))
        {
            await using LinkRig rig = await LinkRig.OpenAsync(WireKinds.Memory);
            var store = new JournalPacketStore(journal, new JournalNode("w1"));
            rig.Main.Start(new PacketRouter().UseStore(store).On(Type, (_, _) => { }));
            rig.Worker.Start(new PacketRouter());
            Assert.That(rig.Worker.TrySend(Type, Some(7)), Is.EqualTo(SendResult.Queued));
            await rig.Worker.CloseAsync().Within("the close");
        }

        using JournalReader reader = JournalReader.Open(folder.Path);
        var found = new List<byte[]>();
        while (reader.TryRead(out JournalRecord kept))
        {
            if (kept.Type == Type.Id)
            {
                found.Add(kept.Body.ToArray());
            }
        }

        Assert.That(found, Has.Count.EqualTo(1));
        Assert.That(Bytes.Read(Type, found[0]).ToString(), Is.EqualTo(Some(7).ToString()));
        Assert.That(MessagePackSerializer.ConvertToJson(found[0]), Does.StartWith("[\"n7\",7,"));
    }

    [Test]
    public async Task A_sender_that_spills_keeps_them_while_the_main_node_is_away()
    {
        using var folder = new TemporaryFolder();
        var received = new ConcurrentQueue<string>();
        LinkListener? listener = null;
        var options = new SpillOptions { MinBackoff = TimeSpan.FromMilliseconds(1), MaxBackoff = TimeSpan.FromMilliseconds(20) };
        await using SpillingSender sender = SpillingSender.Open(folder.Path, Find, options);
        for (int i = 0; i < 100; i++)
        {
            Assert.That(sender.TrySend(Type, Some(i)), Is.EqualTo(SendResult.Queued));
        }

        Assert.That(sender.Status.Spilled, Is.EqualTo(100));
        await using LinkListener main = LinkListener.Start(WireKind.UnixSocket);
        Volatile.Write(ref listener, main);
        SpillStatus end = await sender.CloseAsync(TimeSpan.FromSeconds(60)).Within("the close");
        Assert.That(end.IsDelivered, Is.True);
        Assert.That(received, Is.EqualTo(Enumerable.Range(0, 100).Select(i => Some(i).ToString())));

        Task<SpillTarget?> Find(SpillAttempt attempt, CancellationToken cancellation)
        {
            if (Volatile.Read(ref listener) is not { } current)
            {
                return Task.FromResult<SpillTarget?>(null);
            }

            LinkTicket ticket = current.Expect("sender");
            _ = AcceptAsync(ticket);
            return Task.FromResult<SpillTarget?>(new SpillTarget(current.Endpoint, ticket.Secret));
        }

        async Task AcceptAsync(LinkTicket ticket) => (await ticket.WaitForLinkAsync()).Start(
            new SpillReceiver().AddTo(new PacketRouter().On(Type, (one, _) => received.Enqueue(one.ToString()))));
    }

    [Test]
    public void The_type_has_what_it_was_given()
    {
        PacketType<Doubled> type = MessagePackPacket.Of<Doubled>(2000, name: "engine.doubled", lane: Lane.Bulk);
        Assert.That((type.Id, type.Name, type.Lane, type.UsesTables), Is.EqualTo(((ushort)2000, "engine.doubled", Lane.Bulk, false)));
        Assert.That(MessagePackPacket.Of<Doubled>(2000).Name, Is.EqualTo("Doubled"));
    }

    /// <summary>Formatters and resolvers of the program's own, as thousands have them.</summary>
    [Test]
    public void A_resolver_of_the_program_is_used()
    {
        MessagePackSerializerOptions options = MessagePackSerializerOptions.Standard
            .WithResolver(MessagePack.Resolvers.ContractlessStandardResolver.Instance);
        PacketType<Unmarked> type = MessagePackPacket.Of<Unmarked>(1026, options);
        byte[] body = Bytes.Of(type, new Unmarked { Text = "by name" });
        Assert.That(MessagePackSerializer.ConvertToJson(body), Is.EqualTo("{\"Text\":\"by name\"}"));
        Assert.That(Bytes.Read(type, body).Text, Is.EqualTo("by name"));
    }

    private static Measured Some(int i) => new()
    {
        Name = $"n{i}", Value = i, Level = i % 6, Share = i / 3.0, At = new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddTicks(i),
        Parts = ["a", "ü", new string('x', i % 100)], Counts = new() { ["k"] = i },
    };
}
