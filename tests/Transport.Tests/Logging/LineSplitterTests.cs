using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using NUnit.Framework;
using Transport.Logging;

namespace Transport.Tests.Logging;

/// <summary>Whole lines, wherever the reads cut them.</summary>
public sealed class LineSplitterTests
{
    [Test]
    public void Lines_are_the_same_however_the_bytes_arrive()
    {
        byte[] bytes = Encoding.UTF8.GetBytes("first\r\nzweite Größe \ud83d\ude00\n\n\r\nthe \r inside\nno end");
        string[] expected = ["first", "zweite Größe \ud83d\ude00", string.Empty, string.Empty, "the \r inside", "no end"];
        for (int size = 1; size <= bytes.Length; size++)
        {
            Assert.That(Split(bytes, _ => size), Is.EqualTo(expected.Select(l => (l, false))), $"reads of {size} bytes");
        }
    }

    [Test]
    public void A_very_long_line_comes_in_pieces_cut_between_characters()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        foreach (string unit in new[] { "x", "ü", "€", "\ud83d\ude00", "\r" })
        {
            // The offset moves the cut through every position within a character.
            for (int offset = 0; offset < 4; offset++)
            {
                string line = new string('a', offset) + string.Concat(Enumerable.Repeat(unit, 200_000 / unit.Length)) + "z";
                List<(string Text, bool Partial)> pieces = Split(Encoding.UTF8.GetBytes(line + "\nnext\n"), left => random.Next(1, 70_000));
                Assert.That(string.Concat(pieces.Take(pieces.Count - 1).Select(p => p.Text)), Is.EqualTo(line));
                Assert.That(pieces.Take(pieces.Count - 2).All(p => p.Partial), Is.True);
                Assert.That(pieces.Skip(pieces.Count - 2).Select(p => p.Partial), Is.EqualTo(new[] { false, false }));
                Assert.That(pieces.Max(p => Encoding.UTF8.GetByteCount(p.Text)), Is.LessThanOrEqualTo(LineSplitter.MaxPiece));
                Assert.That(pieces[pieces.Count - 1].Text, Is.EqualTo("next"));
            }
        }
    }

    [Test]
    public void A_line_of_exactly_the_limit_is_whole()
    {
        byte[] bytes = Encoding.UTF8.GetBytes(new string('x', LineSplitter.MaxPiece) + "\n");
        Assert.That(Split(bytes, _ => 1000).Select(p => (p.Text.Length, p.Partial)), Is.EqualTo(new[] { (LineSplitter.MaxPiece, false) }));
    }

    [Test]
    public void Bytes_that_are_no_text_are_shown_as_such()
    {
        byte[] bytes = [(byte)'a', 0xff, 0xfe, (byte)'b', (byte)'\n', .. Enumerable.Repeat((byte)0x80, 100_000), (byte)'\n'];
        List<(string Text, bool Partial)> lines = Split(bytes, _ => 4096);
        Assert.That(lines[0].Text, Is.EqualTo("a\ufffd\ufffdb"));
        Assert.That(lines.Skip(1).Sum(l => l.Text.Length), Is.EqualTo(100_000));
    }

    private static List<(string Text, bool Partial)> Split(byte[] bytes, Func<int, int> sizes)
    {
        var lines = new List<(string, bool)>();
        var splitter = new LineSplitter((text, partial) => lines.Add((text, partial)));
        for (int at = 0; at < bytes.Length;)
        {
            int count = Math.Min(sizes(bytes.Length - at), bytes.Length - at);
            splitter.Feed(bytes, at, count);
            at += count;
        }

        splitter.Finish();
        return lines;
    }
}
