using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Testing.Links;

namespace Transport.Tests.Tables;

/// <summary>Random packets, of which many are rolled back, over tables that are far too small: what arrives is what was sent.</summary>
internal sealed class TableModelTests
{
    [TestCase(4 << 10, true, true)]
    [TestCase(4 << 10, true, false)]
    [TestCase(4 << 10, false, true)]
    [TestCase(64 << 10, true, true)]
    [TestCase(1 << 20, true, true)]
    [TestCase(4 << 20, true, true)]
    public void What_arrives_is_what_was_sent(int maxBytes, bool strings, bool maps)
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        using var lane = new TableLane(strings, maps, maxBytes);
        var sent = new List<string>();
        string[] words = [.. Enumerable.Range(0, 3000).Select(i => Text(random, i))];
        words[0] = new string('l', random.Next(8_000, 9_000));   // some come often, and are longer than a frame, or than a table
        words[1] = new string('\u00e4', random.Next(32_700, 32_800));
        words[2] = "many frames" + new string('m', random.Next(60_000, 300_000));
        for (int i = 0; i < 6000; i++)
        {
            var packet = new Words(
                [.. Enumerable.Range(0, random.Next(6)).Select(_ => Pick(random, words, i))],
                [.. Enumerable.Range(0, random.Next(3)).Select(_ => Map(random, words, i))],
                random.Next(200) == 0 ? new byte[random.Next(200_000)] : []);
            switch (random.Next(10))
            {
                case 0:
                    lane.Send(packet, full: true);
                    break;
                case 1:
                    Assert.That(() => lane.Send(packet with { Texts = [.. packet.Texts, "throw"] }), Throws.TypeOf<FormatException>());
                    break;
                default:
                    lane.Send(packet);
                    sent.Add(packet.Show());
                    break;
            }

            if (random.Next(50) == 0)
            {
                lane.Receive();
            }
        }

        lane.Receive();
        ReceiveTables? held = lane.Receiver.Of(Transport.Lane.Normal);
        TestContext.Out.WriteLine($"sender {lane.Tables!.Count}, {lane.Tables.Bytes}; receiver {held?.Held}; "
            + $"{lane.Types.Count(t => t is 259 or 260)} packets of the tables");
        Assert.That(lane.Came.Select(w => w.Show()), Is.EqualTo(sent));
        Assert.That(lane.WrittenOut.Select(w => w.Show()), Is.EqualTo(sent), "written out, also with maps that are kept so");
        Assert.That(held!.WrittenOutBytes, Is.InRange(0, 4 << 20));
        Assert.That(lane.Counted, Is.EqualTo(lane.Types.Count));
        Assert.That((held.Held.TextBytes, held.Held.MapBytes), Is.EqualTo(lane.Tables.Bytes), "the sender knows what the peer holds");
        Assert.That(Math.Max(held.Held.TextBytes, held.Held.MapBytes), Is.LessThanOrEqualTo(maxBytes));
    }

    [TestCase(9_000, 10_000)]
    [TestCase(65_490, 68_000)]
    [TestCase(65_520, 68_000)]
    [TestCase(65_536, 68_000)]
    [TestCase(200_000, 201_000)]
    public void A_long_text_crosses_three_times_and_then_no_more(int length, int most)
    {
        using var lane = new TableLane();
        string text = new('x', length);
        for (int i = 0; i < 100; i++)
        {
            lane.Send(Words.Of(text, $"{i}"));
        }

        Assert.That(lane.Receive(), Is.InRange(3 * length, 3 * most));
        Assert.That(lane.Came.Select(w => (w.Texts[0], w.Texts[1])), Is.EqualTo(Enumerable.Range(0, 100).Select(i => (text, $"{i}"))));
        Assert.That((lane.Counted, lane.Types.Count(t => t == 259)), Is.EqualTo((lane.Types.Count, 1)));
    }

    /// <summary>Whoever expands a packet has no more of it than one without references may have.</summary>
    [Test]
    public void A_packet_that_would_be_too_large_written_out_is_too_large()
    {
        using var lane = new TableLane();
        string text = new('x', 100_000);
        for (int i = 0; i < 3; i++)
        {
            lane.Send(Words.Of(text));
        }

        lane.Send(new Words([.. Enumerable.Repeat(text, 150)], [], []));
        Assert.That(
            () => lane.Send(new Words([.. Enumerable.Repeat(text, 700)], [], [])),
            Throws.TypeOf<TransportException>().With.Property(nameof(TransportException.Fault)).EqualTo(TransportFault.PacketTooLarge));
        lane.Send(Words.Of("goes on"));
        lane.Receive();
        Assert.That(lane.Came.Select(w => w.Texts.Length), Is.EqualTo(new[] { 1, 1, 1, 150, 1 }));
    }

    [TestCase(1 << 20, 300_000, 16 << 20)]
    [TestCase(4 << 20, 65_500, 64 << 10)]
    public void A_text_that_is_too_much_of_a_table_or_packet_is_written_out(int maxBytes, int length, int maxPacket)
    {
        using var lane = new TableLane(maxBytes: maxBytes, maxPacket: maxPacket);
        for (int i = 0; i < 9; i++)
        {
            lane.Send(Words.Of(new string('x', length)));
        }

        Assert.That(lane.Receive(), Is.GreaterThan(9 * length));
        Assert.That(lane.Types, Has.None.EqualTo(259));
    }

    [Test]
    public void Texts_that_collide_are_distinguished()
    {
        using var lane = new TableLane();
        string[] texts = [.. Enumerable.Range(0, 500).Select(i => new string('a', 100)
            + i.ToString("D4", System.Globalization.CultureInfo.InvariantCulture) + new string('b', 300))];
        for (int round = 0; round < 4; round++)
        {
            foreach (string text in texts)
            {
                lane.Send(Words.Of(text));
            }
        }

        lane.Receive();
        Assert.That(lane.Came.Select(w => w.Texts[0]), Is.EqualTo(Enumerable.Repeat(texts, 4).SelectMany(t => t)));
    }

    private static string Text(Random random, int i) => random.Next(20) switch
    {
        0 => new string((char)('a' + (i % 26)), random.Next(1, 3000)),
        1 => $"ü\ud83d\ude00 {i} " + new string('ß', random.Next(200)),
        2 => i.ToString(System.Globalization.CultureInfo.InvariantCulture),
        3 => string.Empty,
        _ => $"/src/project{i % 20}/file{i}.cs",
    };

    // Mostly a few favourites, which drift, so that entries age.
    private static string Pick(Random random, string[] words, int i) =>
        words[(random.Next(60) == 0 ? random.Next(3) : random.Next(3) > 0 ? (i / 20) + random.Next(30) : random.Next(words.Length))
            % words.Length];

    private static KeyValuePair<string, string>[] Map(Random random, string[] words, int i)
    {
        int first = (i / 40) + random.Next(8);
        return random.Next(200) == 0
            ? [.. Enumerable.Range(0, 400).Select(n => new KeyValuePair<string, string>($"name {n}", words[(first + n) % words.Length]))]
            : [.. Enumerable.Range(0, first % 5)
                .Select(n => new KeyValuePair<string, string>($"name {n}", words[(first + n) % words.Length]))];
    }
}
