using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Testing.Links;

namespace Transport.Tests.Tables;

/// <summary>Types of applications, which refer to tables only once they are announced.</summary>
internal sealed class TypesTests
{
    private const int Strings = 259, Maps = 260, Types = 261, Application = 1024;

    [Test]
    public void A_type_of_an_application_is_announced_once_before_its_first_packet()
    {
        using var lane = new TableLane();
        Words words = Words.OfMap(("name", "a text that comes again"));
        lane.Send(words, type: Words.Application);
        long again = lane.Send(words, type: Words.Application);
        lane.Receive();
        Assert.That(lane.Types, Is.EqualTo(new[] { Types, Strings, Maps, Application, Application }));
        Assert.That(again, Is.EqualTo(10 + 1 + 1 + 1 + 4 + 2));
        Assert.That(lane.Came.Select(w => w.Show()), Is.All.EqualTo(words.Show()));
        Assert.That(lane.Counted, Is.EqualTo(5), "an announcement is a packet");
    }

    [Test]
    public void Types_below_1024_share_the_tables_and_are_not_announced()
    {
        using var lane = new TableLane();
        lane.Send(Words.Of("a text that comes again"));
        lane.Send(Words.Of("a text that comes again"), type: Words.Application);
        lane.Send(Words.Of("a text that comes again"));
        lane.Receive();
        Assert.That(lane.Types, Is.EqualTo(new[] { Strings, 575, Types, Application, 575 }));
        Assert.That(lane.Came.Select(w => w.Texts[0]), Is.All.EqualTo("a text that comes again"));
    }

    [TestCase(true, true, false)]
    [TestCase(false, false, true)]
    public void Without_the_capability_it_is_written_out(bool strings, bool maps, bool types)
    {
        using var lane = new TableLane(strings, maps, types: types);
        Words words = Words.OfMap(("name", "a text that comes again"));
        lane.Send(words, type: Words.Application);
        lane.Send(words, type: Words.Application);
        lane.Receive();
        Assert.That(lane.Types, Is.All.EqualTo(Application));
        Assert.That(lane.Last.Encoded, Is.EqualTo(lane.Last.Body));
        Assert.That(lane.Came.Select(w => w.Show()), Is.All.EqualTo(words.Show()));
    }

    [Test]
    public void An_announcement_goes_with_its_packet()
    {
        using var lane = new TableLane();
        lane.Send(Words.Of("first"), full: true, type: Words.Application);
        Assert.That(() => lane.Send(Words.Of("throw"), type: Words.Application), Throws.Exception);
        lane.Send(Words.Of("first"), type: Words.Application);
        lane.Send(Words.Of("second"), full: true, type: Words.Application);
        lane.Send(Words.Of("third"), type: Words.Application);
        lane.Receive();
        Assert.That(lane.Types, Is.EqualTo(new[] { Types, Strings, Application, Strings, Application }));
        Assert.That(lane.Came.Select(w => w.Texts[0]), Is.EqualTo(new[] { "first", "third" }));
    }

    [Test]
    public void What_is_dropped_is_reported_before_an_announcement()
    {
        using var lane = new TableLane();
        lane.Send(Words.Of("text"), type: Words.Application, dropped: true);
        lane.Receive();
        Assert.That(lane.Types, Is.EqualTo(new[] { 9, Types, Strings, Application }));
    }

    [Test]
    public void After_1024_types_a_further_one_is_written_out()
    {
        using var lane = new TableLane();
        for (int round = 0; round < 2; round++)
        {
            for (ushort number = 1024; number < 1024 + 1030; number++)
            {
                var type = new PacketType<Words>(number, "One", Words.Type.Formatter, usesTables: true);
                lane.Send(Words.Of("a text that comes again"), type: type);
            }
        }

        lane.Receive();
        Assert.That(lane.Types.Count(t => t == Types), Is.EqualTo(1024));
        Assert.That(lane.Came.Select(w => w.Texts[0]), Is.All.EqualTo("a text that comes again"));
        Assert.That(lane.Last.Encoded, Is.EqualTo(lane.Last.Body));
    }

    [Test]
    public void A_reference_in_a_type_that_is_not_announced_is_left_alone()
    {
        LaneTables tables = Announced(1024);
        byte[] body = [0x91, 0xd4, 1, 7];
        RawPacket other = tables.Checked(new RawPacket(1025, Lane.Normal, body));
        RawPacket otherLane = tables.Checked(new RawPacket(1024, Lane.Bulk, body));
        Assert.That((other.HasReferences, otherLane.HasReferences), Is.EqualTo((false, false)));
        Assert.That(other.Body.ToArray(), Is.EqualTo(body));
        Assert.That(tables.Attached(new RawPacket(1025, Lane.Normal, body)).HasReferences, Is.False);
        var fault = Assert.Throws<TransportException>(() => _ = tables.Checked(new RawPacket(1024, Lane.Normal, body)));
        Assert.That(fault!.Fault, Is.EqualTo(TransportFault.PacketMalformed));
        Assert.That(fault.Message, Does.Contain("expected a reference to an entry of the string table that was set before, got id 7."));
    }

    [TestCase(new byte[] { 0x91, 0xcd, 0x03, 0xff }, "a packet type of 1024 to 65535, got 1023")]
    [TestCase(new byte[] { 0x91, 0xce, 0, 1, 0, 0 }, "a packet type of 1024 to 65535, got 65536")]
    [TestCase(new byte[] { 0x91, 0xcd, 0x04, 0x00 }, "a packet type that was not announced before in this lane, got 1024")]
    [TestCase(new byte[] { 0x92, 0xcd, 4, 1, 0xcd, 4, 1 }, "a packet type that was not announced before in this lane, got 1025")]
    [TestCase(new byte[] { 0x91, 0xff }, "expected")]
    [TestCase(new byte[] { 0x91, 0xa1, 0x61 }, "expected")]
    [TestCase(new byte[] { 0x91, 0x91, 0xcd, 0x04, 0x01 }, "expected")]
    [TestCase(new byte[] { 0xcd, 0x04, 0x01 }, "an array")]
    public void An_announcement_that_breaks_the_rules_is_malformed(byte[] body, string words)
    {
        var fault = Assert.Throws<TransportException>(() => Take(Announced(1024), body));
        Assert.That(fault!.Fault, Is.EqualTo(TransportFault.PacketMalformed));
        Assert.That(fault.Message, Does.Contain(words));
    }

    [Test]
    public void More_than_1024_types_are_malformed()
    {
        LaneTables tables = Announced([.. Enumerable.Range(1024, 1024)]);
        var fault = Assert.Throws<TransportException>(() => Take(tables, [0x91, 0xcd, 0x20, 0x00]));
        Assert.That(fault!.Fault, Is.EqualTo(TransportFault.PacketMalformed));
        Assert.That(fault.Message, Does.Contain("expected at most 1024 announced packet types in a lane, got type 8192 as one more."));
    }

    [Test]
    public void An_announcement_that_was_not_agreed_on_is_malformed()
    {
        var tables = new LaneTables(new TableCaps(true, true, false), 1 << 20);
        var fault = Assert.Throws<TransportException>(() => Take(tables, [0x91, 0xcd, 0x04, 0x00]));
        Assert.That(fault!.Message, Does.Contain("capability tables (LinkOptions.UseTables)"));
    }

    private static LaneTables Announced(params int[] types)
    {
        var tables = new LaneTables(new TableCaps(true, true, true), 1 << 20);
        IEnumerable<byte> all = types.SelectMany(t => new byte[] { 0xcd, (byte)(t >> 8), (byte)t });
        Take(tables, [0xdc, (byte)(types.Length >> 8), (byte)types.Length, .. all]);
        return tables;
    }

    private static void Take(LaneTables tables, IEnumerable<byte> body) =>
        tables.Take(tables.Checked(new RawPacket(Types, Lane.Normal, body.ToArray())));
}
