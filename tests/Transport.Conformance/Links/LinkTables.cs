using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>String and map tables between two links, over every wire.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkTables(string wire)
{
    private static readonly TimeSpan Long = WithinExtensions.Bound;

    [Test]
    public async Task Whatever_the_sides_have_agreed_on_arrives_the_same(
        [Values] bool mainStrings, [Values] bool mainMaps, [Values] bool workerStrings, [Values] bool workerMaps)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(
            wire,
            o => o.Tables = new TableCaps(mainStrings, mainMaps, Types: true),
            o => o.Tables = new TableCaps(workerStrings, workerMaps, Types: true));
        (List<string> toMain, List<string> toWorker) = ([], []);
        rig.Main.Start(new PacketRouter().On(Words.Type, (w, _) => toMain.Add(w.Show())));
        rig.Worker.Start(new PacketRouter().On(Words.Type, (w, _) => toWorker.Add(w.Show())));
        Words[] sent = [.. Enumerable.Range(0, 50).Select(Packet)];
        foreach (Words words in sent)
        {
            Assert.That(rig.Worker.Send(Words.Type, words, Long), Is.EqualTo(SendResult.Queued));
            Assert.That(rig.Main.Send(Words.Type, words, Long), Is.EqualTo(SendResult.Queued));
        }

        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        LinkEnd other = await rig.Main.Completion.Within("the main node's end");
        (bool strings, bool maps) = (mainStrings && workerStrings, mainMaps && workerMaps);
        Assert.That(rig.Main.Peer.Tables, Is.EqualTo(new TableCaps(strings, maps, Types: true)));
        using (Assert.EnterMultipleScope())
        {
            Assert.That(end.IsClean && other.IsClean, Is.True, $"{end}; {other}");
            Assert.That(toMain, Is.EqualTo(sent.Select(w => w.Show())));
            Assert.That(toWorker, Is.EqualTo(toMain));
            Assert.That(end.Receipt.NoLossKnown && other.Receipt.NoLossKnown, Is.True, $"{end.Receipt}; {other.Receipt}");
            Assert.That(other.Receipt.PeerSent, Is.EqualTo(other.Receipt.Received));
            Assert.That(end.Receipt.Sent > sent.Length, Is.EqualTo(strings || maps), "packets of the tables are counted");
        }
    }

    [Test]
    public async Task A_packet_of_an_application_uses_the_tables_if_both_sides_can(
        [Values] bool strings, [Values] bool maps, [Values] bool tables)
    {
        await using LinkRig rig =
            await LinkRig.OpenAsync(wire, o => o.Tables = new TableCaps(strings, maps, tables));
        (List<string> toMain, List<string> toWorker) = ([], []);
        int references = 0;
        rig.Main.Start(new PacketRouter().OnRaw(Compiled.PacketType.Id, packet =>
        {
            references += packet.HasReferences ? 1 : 0;
            toMain.Add(packet.Read(Compiled.PacketType).Show());
        }));
        rig.Worker.Start(new PacketRouter().On<Compiled>(compiled => toWorker.Add(compiled.Show())));
        string[] sent = [.. Enumerable.Range(0, 40).Select(i => Compiled.Make(i).Show())];
        for (int i = 0; i < sent.Length; i++)
        {
            Assert.That(rig.Worker.Send(Compiled.PacketType, Compiled.Make(i), Long), Is.EqualTo(SendResult.Queued));
            Assert.That(rig.Main.Send(Compiled.PacketType, Compiled.Make(i), Long), Is.EqualTo(SendResult.Queued));
        }

        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        LinkEnd other = await rig.Main.Completion.Within("the main node's end");
        bool uses = tables && (strings || maps);
        using (Assert.EnterMultipleScope())
        {
            Assert.That(end.IsClean && other.IsClean, Is.True, $"{end}; {other}");
            Assert.That(toMain, Is.EqualTo(sent));
            Assert.That(toWorker, Is.EqualTo(sent));
            Assert.That(references > 20, Is.EqualTo(uses), $"{references} packets with references");
            Assert.That(end.Receipt.Sent > sent.Length, Is.EqualTo(uses), "packets of the tables are counted");
            Assert.That(end.Receipt.NoLossKnown && other.Receipt.NoLossKnown, Is.True, $"{end.Receipt}; {other.Receipt}");
        }
    }

    [Test]
    public async Task A_packet_that_is_bytes_already_travels_as_it_is_also_if_its_type_uses_tables()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var came = new List<(byte[] Encoded, bool Refers)>();
        void Take(RawPacket packet) => came.Add((packet.Encoded.ToArray(), packet.HasReferences));
        rig.Main.Start(new PacketRouter().OnRaw(Compiled.PacketType.Id, Take));
        rig.Worker.Start(new PacketRouter());
        byte[] body = [0x92, 0xd4, 1, 7, 0xa2, 0x68, 0x69];
        Assert.That(rig.Worker.TrySendRaw(Compiled.PacketType.Id, body), Is.EqualTo(SendResult.Queued));
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That((end.IsClean, end.Receipt.Sent), Is.EqualTo((true, 1L)), end.ToString());
        Assert.That(came, Is.EqualTo(new[] { (body, false) }));
    }

    [Test]
    public async Task Each_lane_has_tables_of_its_own()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var came = new List<(Lane Lane, string Text)>();
        void Take(RawPacket packet) => came.Add((packet.Lane, packet.Read(Words.Type).Texts[0]));
        rig.Main.Start(new PacketRouter().OnRaw(Words.Type.Id, Take).OnRaw(Words.Application.Id, Take));
        for (int i = 0; i < 3000; i++)
        {
            var lane = (Lane)(1 + (i % 3));
            PacketType<Words> type = i % 2 == 0 ? Words.Type : Words.Application;
            Assert.That(rig.Worker.Send(type, Words.Of($"text {i % 7} of {lane}"), Long, lane), Is.EqualTo(SendResult.Queued));
        }

        Assert.That((await rig.Worker.CloseAsync().Within("the close")).IsClean, Is.True);
        for (Lane lane = Lane.Urgent; lane <= Lane.Bulk; lane++)
        {
            IEnumerable<string> expected = Enumerable.Range(0, 3000).Where(i => 1 + (i % 3) == (int)lane)
                .Select(i => $"text {i % 7} of {lane}");
            Assert.That(came.Where(c => c.Lane == lane).Select(c => c.Text), Is.EqualTo(expected), lane.ToString());
        }
    }

    [Test]
    public async Task What_was_answered_full_was_never_sent_and_leaves_no_trace()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, worker: o => (o.MaxQueuedBytes, o.MaxTableBytes) = (64 << 10, 4 << 10));
        var came = new List<string>();
        var sent = new List<string>();
        rig.Worker.Start(new PacketRouter());
        int full = 0;
        for (int i = 0; full < 50; i++)
        {
            Words words = Packet(i);
            if (rig.Worker.TrySend(Words.Type, words) == SendResult.Queued)
            {
                sent.Add(words.Show());
            }
            else
            {
                full++;
            }
        }

        rig.Main.Start(new PacketRouter().On(Words.Type, (w, _) => came.Add(w.Show())));
        for (int i = 0; i < 100; i++)
        {
            Words words = Packet(i);
            Assert.That(rig.Worker.Send(Words.Type, words, Long), Is.EqualTo(SendResult.Queued));
            sent.Add(words.Show());
        }

        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That((end.IsClean, end.Receipt.Acknowledged, end.Receipt.Refused), Is.EqualTo((true, end.Receipt.Sent, 50L)),
            end.ToString());
        Assert.That(came, Is.EqualTo(sent));
    }

    [Test]
    public async Task Many_threads_share_a_lanes_tables()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, worker: o => o.MaxTableBytes = 8 << 10);
        var came = new List<string>();
        rig.Main.Start(new PacketRouter().On(Words.Type, (w, _) => came.Add(w.Show())));
        await Task.WhenAll(Enumerable.Range(0, 4).Select(producer => WireReading.OnThread(() =>
        {
            for (int i = 0; i < 500; i++)
            {
                Words words = Packet(i);
                _ = rig.Worker.Send(Words.Type, words with { Texts = [$"{producer}", .. words.Texts] }, Long);
            }
        }))).Within("the producers");
        Assert.That((await rig.Worker.CloseAsync().Within("the close")).IsClean, Is.True);
        for (int producer = 0; producer < 4; producer++)
        {
            IEnumerable<string> expected = Enumerable.Range(0, 500)
                .Select(i => (Packet(i) with { Texts = [$"{producer}", .. Packet(i).Texts] }).Show());
            Assert.That(came.Where(c => c[0] - '0' == producer), Is.EqualTo(expected));
        }
    }

    [Test]
    public async Task A_raw_handler_gets_a_body_that_stands_for_itself()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var came = new List<(byte[] Body, byte[] Encoded, bool Refers, string Read)>();
        rig.Main.Start(new PacketRouter().OnUnknownAsync(async packet =>
        {
            await Task.Yield();
            came.Add((packet.Packet.ToArray(), packet.Packet.Encoded.ToArray(), packet.Packet.HasReferences, packet.Packet.Read(Words.Type).Show()));
        }));
        rig.Worker.Start(new PacketRouter());
        for (int i = 0; i < 20; i++)
        {
            _ = rig.Worker.Send(Words.Type, Packet(i), Long);
        }

        Assert.That((await rig.Worker.CloseAsync().Within("the close")).IsClean, Is.True);
        for (int i = 0; i < 20; i++)
        {
            var plain = new ArrayWriter();
            Words.Type.Formatter.Write(plain, Packet(i));
            Assert.That(came[i].Body, Is.EqualTo(plain.Written.ToArray()), $"packet {i}");
            Assert.That(came[i].Refers, Is.True);
            Assert.That(came[i].Encoded, Has.Length.LessThan(came[i].Body.Length));
            Assert.That(came[i].Read, Is.EqualTo(Packet(i).Show()));
        }
    }

    [Test]
    public async Task A_link_that_is_cut_in_the_middle_ends_as_any_other()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, fault: w => new FaultyWire(w, FaultPlan.Dribble));
        var came = new List<string>();
        rig.Main.Start(new PacketRouter().On(Words.Type, (w, _) => came.Add(w.Show())));
        rig.Worker.Start(new PacketRouter());
        for (int i = 0; i < 200; i++)
        {
            _ = rig.Worker.TrySend(Words.Type, Packet(i));
        }

        rig.Worker.Abort("test");
        LinkEnd end = await rig.Main.Completion.Within("the end");
        Assert.That(end.Fault, Is.EqualTo(TransportFault.PeerGone), end.ToString());
        Assert.That(came, Is.EqualTo(Enumerable.Range(0, came.Count).Select(i => Packet(i).Show())), "valid as far as it came");
    }

    private static Words Packet(int i) => new(
        [$"target {i % 5}", $"project {i % 3}", "a text that is in every packet", i % 10 == 0 ? $"only in packet {i}" : string.Empty],
        [
            [new("Identity", $"file{i % 4}.cs"), new("FullPath", $"/src/file{i % 4}.cs")],
            [new("Identity", $"file{i}.cs"), new("FullPath", $"/src/file{i}.cs")],
        ],
        i % 25 == 0 ? new byte[i * 2_000] : []);
}
