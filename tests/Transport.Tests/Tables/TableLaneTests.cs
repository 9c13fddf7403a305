using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Testing.Links;

namespace Transport.Tests.Tables;

/// <summary>What a packet refers to, what goes in front of it, and what becomes of that if the packet is not sent.</summary>
internal sealed class TableLaneTests
{
    private const int Strings = 259, Maps = 260, Packet = 575;

    [Test]
    public void A_text_travels_once_and_is_then_a_reference()
    {
        using var lane = new TableLane();
        lane.Send(Words.Of("a text that comes again"));
        long again = lane.Send(Words.Of("a text that comes again"));
        lane.Receive();
        Assert.That(lane.Types, Is.EqualTo(new[] { Strings, Packet, Packet }));
        Assert.That(lane.Came.Select(w => w.Show()).Distinct(), Has.Exactly(1).EqualTo("a text that comes again  0:0"));
        Assert.That(again, Is.EqualTo(10 + 1 + 1 + 4 + 1 + 2), "header, two arrays, the reference, no maps, no bytes");
        Assert.That(lane.Came[0].Texts[0], Is.SameAs(lane.Came[1].Texts[0]), "the receiver makes one object of it");
        Assert.That(lane.Counted, Is.EqualTo(3), "a packet of the tables is a packet");
    }

    [Test]
    public void A_map_travels_once_and_is_then_a_reference_and_its_texts_stand_in_the_string_table()
    {
        using var lane = new TableLane();
        Words words = Words.OfMap(("FullPath", "/src/a.cs"), ("Identity", "a.cs"));
        lane.Send(words);
        lane.Send(Words.Of("/src/a.cs"));
        long again = lane.Send(words);
        lane.Receive();
        Assert.That(lane.Types, Is.EqualTo(new[] { Strings, Maps, Packet, Packet, Packet }), "texts first: maps refer to them");
        Assert.That(again, Is.EqualTo(10 + 1 + 1 + 1 + 4 + 2));
        Assert.That(lane.Came.Select(w => w.Show()), Is.EqualTo(new[] { words.Show(), Words.Of("/src/a.cs").Show(), words.Show() }));
        Assert.That(lane.Came[0].Maps[0], Is.SameAs(lane.Came[2].Maps[0]), "made once, shared");
        Assert.That(lane.Last.Encoded, Is.Not.EqualTo(lane.Last.Body));
    }

    [TestCase(true, false)]
    [TestCase(false, true)]
    [TestCase(false, false)]
    public void What_the_peer_does_not_have_is_written_out(bool strings, bool maps)
    {
        using var lane = new TableLane(strings, maps);
        Words words = Words.OfMap(("FullPath", "/src/a.cs"), ("Identity", "a.cs"));
        lane.Send(words);
        lane.Send(words);
        lane.Receive();
        Assert.That(lane.Types.Contains(Strings), Is.EqualTo(strings));
        Assert.That(lane.Types.Contains(Maps), Is.EqualTo(maps));
        Assert.That(lane.Came.Select(w => w.Show()), Is.All.EqualTo(words.Show()));
    }

    [Test]
    public void A_packet_whose_type_does_not_ask_for_tables_never_refers([Values((ushort)575, (ushort)1024)] ushort number)
    {
        using var lane = new TableLane();
        var plain = new PacketType<Words>(number, "Plain", Words.Type.Formatter);
        lane.Send(Words.Of("a text that comes again"), type: plain);
        lane.Send(Words.Of("a text that comes again"), type: plain);
        lane.Receive();
        Assert.That(lane.Types, Is.EqualTo(new[] { number, number }));
        Assert.That(lane.Last.Encoded, Is.EqualTo(lane.Last.Body));
        Assert.That(lane.Tables, Is.Null, "and nothing is made for it");
    }

    [TestCase("Full")]
    [TestCase("throws")]
    [TestCase("leaves a map open")]
    public void What_a_packet_added_goes_with_it(string how)
    {
        using var lane = new TableLane();
        lane.Send(Words.Of("known before"));
        (var bytes, var count) = (lane.Tables!.Bytes, lane.Tables.Count);
        Words added = new(["new text", "known before"], Words.OfMap(("name", "new text")).Maps, []);
        switch (how)
        {
            case "Full":
                lane.Send(added, full: true);
                break;
            case "throws":
                Assert.That(() => lane.Send(added with { Texts = ["new text", "throw"] }), Throws.TypeOf<FormatException>());
                break;
            default:
                Assert.That(() => lane.Send(added with { Maps = Words.OfMap(("no end", "x")).Maps }),
                    Throws.InvalidOperationException.With.Message.Contains("EndTableMap"));
                break;
        }

        Assert.That((lane.Tables.Bytes, lane.Tables.Count), Is.EqualTo((bytes, count)));
        lane.Send(added);
        lane.Receive();
        Assert.That(lane.Types, Is.EqualTo(new[] { Strings, Packet, Strings, Maps, Packet }));
        Assert.That(lane.Came.Select(w => w.Show()), Is.EqualTo(new[] { Words.Of("known before").Show(), added.Show() }));
        Assert.That(lane.Counted, Is.EqualTo(5));
    }

    [Test]
    public void What_is_dropped_is_reported_before_all_else()
    {
        using var lane = new TableLane();
        lane.Send(Words.Of("first of all"), dropped: true);
        lane.Send(new Words([.. Enumerable.Range(0, 3000).Select(i => $"much text, number {i}")], [], new byte[200_000]), dropped: true);
        lane.Receive();
        Assert.That(lane.Types.Where((t, i) => i == 0 || t != lane.Types[i - 1]),
            Is.EqualTo(new[] { 9, Strings, Packet, 9, Strings, Packet }));
        Assert.That(lane.Came[1].Texts[2999], Is.EqualTo("much text, number 2999"));
    }

    [TestCase(0)]
    [TestCase(3_000)]
    [TestCase(60_000)]
    [TestCase(70_000)]
    [TestCase(300_000)]
    [TestCase(5_000_000)]
    public void What_goes_in_front_finds_its_place_whatever_the_sizes(int padding)
    {
        using var lane = new TableLane();
        var sent = new List<string>();
        foreach (int texts in new[] { 1, 16, 100, 2_000, 20_000 })
        {
            foreach (bool full in new[] { true, false })
            {
                var words = new Words([.. Enumerable.Range(0, texts).Select(i => $"one of {texts}, number {i} of {padding}")], [],
                    new byte[padding]);
                long size = lane.Send(words, full);
                if (!full)
                {
                    sent.Add(words.Show());
                    lane.Send(Words.Of("between"));
                    sent.Add(Words.Of("between").Show());
                    Assert.That(size, Is.GreaterThan(padding));
                }
            }
        }

        lane.Receive();
        Assert.That(lane.Came.Select(w => w.Show()), Is.EqualTo(sent));
        Assert.That(lane.Counted, Is.EqualTo(lane.Types.Count));
    }

    [Test]
    public void A_table_that_is_full_takes_nothing_new_and_keeps_what_it_has()
    {
        using var lane = new TableLane(maxBytes: 4 << 10);
        static Words Numbered(int i) => Words.Of($"number {i} " + new string('t', 90));
        var sizes = new List<long>();
        for (int round = 0; round < 2; round++)
        {
            for (int i = 0; i < 200; i++)
            {
                sizes.Add(lane.Send(Numbered(i)));
            }
        }

        lane.Receive();
        Assert.That(lane.Came.Select(w => w.Show()), Is.EqualTo(Enumerable.Range(0, 400).Select(i => Numbered(i % 200).Show())));
        Assert.That(lane.Tables!.Bytes.Texts, Is.InRange(3 << 10, 4 << 10));
        Assert.That(sizes[200], Is.LessThan(40), "the first is still there");
        Assert.That(sizes[399], Is.GreaterThan(100), "the last never was");
        Assert.That(lane.Types.Skip(lane.Types.Count - 250), Is.All.EqualTo(Words.Type.Id), "nothing more goes in front");
    }

    [Test]
    public void A_small_text_still_finds_capacity_where_a_large_one_does_not()
    {
        using var lane = new TableLane(maxBytes: 4 << 10);
        for (int i = 0; i < 16; i++)
        {
            lane.Send(Words.Of($"{i:00}" + new string('t', 248)));
        }

        long large = lane.Send(Words.Of(new string('l', 200)));
        lane.Send(Words.Of("small"));
        Assert.That(lane.Send(Words.Of(new string('l', 200))), Is.EqualTo(large).And.GreaterThan(200));
        Assert.That(lane.Send(Words.Of("small")), Is.EqualTo(10 + 1 + 1 + 4 + 1 + 2));
        lane.Receive();
        Assert.That(lane.Came, Has.Count.EqualTo(20));
    }

    [Test]
    public void A_long_text_enters_at_its_second_time_and_a_very_long_one_at_its_third()
    {
        using var lane = new TableLane();
        string longer = new('l', 1000), longest = new('v', 9000);
        for (int i = 0; i < 3; i++)
        {
            lane.Send(Words.Of(longer));
            lane.Send(Words.Of(longest));
        }

        lane.Receive();
        Assert.That(lane.Types, Is.EqualTo(new[] { Packet, Packet, Strings, Packet, Packet, Packet, Strings, Packet }));
        Assert.That(lane.Came.Select(w => w.Texts[0]), Is.EqualTo(new[] { longer, longest, longer, longest, longer, longest }));
    }
}
