using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using NUnit.Framework;

namespace Transport.Tests.Nodes;

public sealed class LineCutterTests
{
    [TestCase("a\nb\n", "a|b")]
    [TestCase("a\r\nb\r\n", "a|b")]
    [TestCase("open", "open")]
    [TestCase("\n\n", "|")]
    [TestCase("10 %\r20 %\r\n", "10 %\r20 %")]
    [TestCase("\uFEFFfirst\nsecond", "first|second")]
    [TestCase("first\n\uFEFFsecond", "first|\uFEFFsecond")]
    [TestCase("", null)]
    public void Lines_lose_their_end_and_nothing_else(string text, string? expected) =>
        Assert.That(string.Join("|", Cut(Encoding.UTF8.GetBytes(text), 1000).Select(l => l.Text)), Is.EqualTo(expected ?? string.Empty));

    [Test]
    public void Pieces_of_any_size_give_the_same_lines()
    {
        int seed = TestContext.CurrentContext.Random.Next();
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        string[] lines = Enumerable.Range(0, 400).Select(_ => Text(random, random.Next(8) == 0 ? random.Next(3000) : random.Next(60)))
            .ToArray();
        byte[] bytes = Encoding.UTF8.GetBytes(string.Concat(lines.Select(l => l + (random.Next(2) == 0 ? "\n" : "\r\n"))));
        foreach (int most in new[] { 1, 2, 7, 100, 4096 })
        {
            Assert.That(Cut(bytes, most, random).Select(l => l.Text), Is.EqualTo(lines), $"pieces of at most {most}, seed {seed}");
        }
    }

    [TestCase(65536, 1)]
    [TestCase(65537, 2)]
    [TestCase(131072, 2)]
    [TestCase(131073, 3)]
    public void Only_a_line_longer_than_the_limit_is_cut(int length, int pieces)
    {
        List<OutputLine> lines = Cut(Encoding.UTF8.GetBytes(new string('x', length) + "\n"), 1 << 20);
        Assert.That(lines, Has.Count.EqualTo(pieces));
        Assert.That(lines.Select(l => l.IsPartial), Is.EqualTo(Enumerable.Range(1, pieces).Select(i => i < pieces)));
        Assert.That(string.Concat(lines.Select(l => l.Text)), Has.Length.EqualTo(length));
    }

    [TestCase("x", "ä", 40000)]
    [TestCase("", "€", 50000)]
    [TestCase("xx", "€", 50000)]
    [TestCase("x", "😀", 40000)]
    [TestCase("xxx", "😀", 40000)]
    public void No_character_is_cut(string before, string character, int count)
    {
        string text = before + string.Concat(Enumerable.Repeat(character, count));
        List<OutputLine> lines = Cut(Encoding.UTF8.GetBytes(text + "\n"), 1000);
        Assert.That(lines, Has.Count.GreaterThan(1));
        Assert.That(string.Concat(lines.Select(l => l.Text)), Is.EqualTo(text));
    }

    [Test]
    public void Line_end_at_the_cut_belongs_to_the_end()
    {
        List<OutputLine> lines = Cut(Encoding.UTF8.GetBytes(new string('x', 65535) + "\r\ny\n"), 70000);
        Assert.That(string.Join("|", lines.Select(l => $"{l.Text.Length} {l.IsPartial}")), Is.EqualTo("65535 False|1 False"));
    }

    [Test]
    public void Bytes_that_are_no_text_are_replaced_and_never_fail()
    {
        var bytes = new byte[200_000];
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] = 0x80; // continuation bytes only: no place to cut is better than another
        }

        List<OutputLine> lines = Cut(bytes, 5000);
        Assert.That(lines.Sum(l => l.Text.Length), Is.EqualTo(bytes.Length));
        Assert.That(lines.SelectMany(l => l.Text).All(c => c == '\uFFFD'), Is.True);
    }

    [Test]
    public void Last_lines_keep_twenty_and_cut_long_ones()
    {
        var last = new LastLines();
        for (int i = 1; i <= 30; i++)
        {
            last.Add(new OutputLine($"line {i}", IsError: true, IsPartial: false));
        }

        last.Add(new OutputLine(new string('x', 65536), IsError: true, IsPartial: true));
        last.Add(new OutputLine("its rest", IsError: true, IsPartial: false));
        Assert.That(last.Snapshot(), Has.Count.EqualTo(20));
        Assert.That(last.Snapshot()[0], Is.EqualTo("line 12"));
        Assert.That(last.Snapshot()[19], Is.EqualTo(new string('x', 4096) + "…"));
    }

    private static string Text(Random random, int length)
    {
        string[] alphabet = ["a", "b", " ", "ä", "€", "😀", "\t", "z"];
        return string.Concat(Enumerable.Range(0, length).Select(_ => alphabet[random.Next(alphabet.Length)]));
    }

    private static List<OutputLine> Cut(byte[] bytes, int most, Random? random = null)
    {
        var lines = new List<OutputLine>();
        var cutter = new LineCutter(isError: false, lines.Add);
        for (int from = 0; from < bytes.Length;)
        {
            int count = Math.Min(bytes.Length - from, random?.Next(1, most + 1) ?? most);
            cutter.Append(bytes.AsSpan(from, count).ToArray(), count);
            from += count;
        }

        cutter.Complete();
        return lines;
    }
}
