using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Tests.Logging;

/// <summary>What the main node shows of its workers.</summary>
public sealed class ConsoleSinkTests
{
    private static readonly DateTimeOffset Time = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly StringWriter _writer = new() { NewLine = "\n" };
    private ConsoleSink _sink = null!;

    [SetUp]
    public void New()
    {
        _writer.GetStringBuilder().Clear();
        _sink = new ConsoleSink(_writer);
    }

    [Test]
    public void Each_level_has_its_name()
    {
        for (LogLevel level = LogLevel.Trace; level <= LogLevel.Critical; level++)
        {
            _sink.Write("n1", Event("m", level));
        }

        Shows("n1 Trace cat: m", "n1 Debug cat: m", "n1 Information cat: m", "n1 Warning cat: m", "n1 Error cat: m", "n1 Critical cat: m");
    }

    [Test]
    public void Each_further_line_has_the_same_prefix()
    {
        _sink.Write("n1", new LogEvent
        {
            Time = Time, Level = LogLevel.Error, Category = "cat", Message = "a\r\nb\n\nc\n", Exception = "E: x\n   at y",
        });
        _sink.Write("n2", Out("plain"));
        _sink.Write("n2", new OutputPacket { Time = Time, Stream = OutputStream.Error, Text = string.Empty });
        Shows("n1 Error cat: a", "n1 Error cat: b", "n1 Error cat: ", "n1 Error cat: c", "n1 Error cat: E: x", "n1 Error cat:    at y",
            "n2 out: plain", "n2 err: ");
    }

    [Test]
    public void Control_characters_are_shown_and_forge_nothing()
    {
        _sink.Write("n1", Out("\u001b[2Jgone\tkept\rback\u0007\u007f\u009b ü\ud83d\ude00"));
        _sink.Write("n1", Event("one\u0000", category: "c\nn9 out: forged"));
        Shows(@"n1 out: \u001b[2Jgone" + "\t" + @"kept\u000dback\u0007\u007f\u009b ü" + "\ud83d\ude00",
            @"n1 Information c\u000an9 out: forged: one\u0000");
    }

    [Test]
    public void Signs_that_end_a_line_or_turn_it_around_are_shown(
        [Values('\u2028', '\u2029', '\u202a', '\u202e', '\u2066', '\u2069')] char sign)
    {
        _sink.Write("n1", Out("a" + sign + "b\u2027\u202f\u2065\u206a"));
        Shows("n1 out: a\\u" + ((int)sign).ToString("x4", CultureInfo.InvariantCulture) + "b\u2027\u202f\u2065\u206a");
    }

    [Test]
    public void Pieces_of_a_line_are_joined_by_node_and_stream()
    {
        _sink.Write("n1", Out("a", partial: true));
        _sink.Write("n2", Out("x"));
        _sink.Write("n1", new OutputPacket { Time = Time, Stream = OutputStream.Error, Text = "e" });
        _sink.Write("n1", Out("b", partial: true));
        _sink.Write("n1", Out("c"));
        _sink.Write("n1", Out("left", partial: true));
        _sink.Complete("n2");
        Shows("n2 out: x", "n1 err: e", "n1 out: abc");
        _sink.Complete("n1");
        Assert.That(_writer.ToString(), Does.EndWith("n1 out: left\n"));
    }

    [Test]
    public void A_line_that_never_ends_is_not_collected_forever()
    {
        _sink = new ConsoleSink(_writer) { MaxLineLength = int.MaxValue };
        string piece = new('x', 64 << 10);
        for (int i = 0; i < 40; i++)
        {
            _sink.Write("n1", Out(piece, partial: true));
        }

        string[] lines = _writer.ToString().Split(['\n'], StringSplitOptions.RemoveEmptyEntries);
        Assert.That(lines.Select(l => l.Length), Is.EqualTo(new[] { ConsoleSink.MaxJoined + 8, ConsoleSink.MaxJoined + 8 }));
    }

    [Test]
    public void What_a_worker_sends_reaches_the_terminal_neither_unescaped_nor_whole()
    {
        string text = HostileText.Value;
        string message = text + "\nsecond", exception = text + "\r\n   at x";
        _sink.Write("n1", new LogEvent { Time = Time, Level = LogLevel.Error, Category = text, Message = message, Exception = exception });
        _sink.Write("n1", Out(text));
        _sink.Write("n1", Out(text, partial: true));
        _sink.Complete("n1");
        _sink.Write(new OutputLine(text, IsError: true, IsPartial: false) { Node = "n1" });
        _sink.Write("n1", new ProgressPacket { Time = Time, Id = 1, Done = 1, Text = text });
        _sink.Write(text, Out("named"));

        string[] lines = _writer.ToString().TrimEnd('\n').Split('\n');
        Assert.That(lines.Select(HostileText.FaultOf), Is.All.Null);
        Assert.That(lines, Has.Length.EqualTo(9));
        Assert.That(lines[1], Does.StartWith(@"n1 Error \u001b]0;title").And.Contain(" characters cut) …").And.EndWith(": second"));
        Assert.That(lines[3], Does.EndWith(":    at x"));
        Assert.That(lines[4], Does.StartWith(@"n1 out: \u001b]0;title").And.EndWith(@"x\u202eend"));
    }

    [Test]
    public void A_file_gets_lines_whole_if_it_asks_for_them()
    {
        _sink = new ConsoleSink(_writer) { MaxLineLength = int.MaxValue };
        _sink.Write("n1", Event(new string('m', 60_000), category: new string('c', 60_000)));
        Shows($"n1 Information {new string('c', 60_000)}: {new string('m', 60_000)}");
        Assert.That(() => new ConsoleSink(_writer) { MaxLineLength = 0 }, Throws.InstanceOf<ArgumentOutOfRangeException>());
    }

    [Test]
    public void Progress_says_how_far()
    {
        _sink.Write("n1", new ProgressPacket { Time = Time, Id = 3, Done = 4, Total = 10, Text = "files" });
        _sink.Write("n1", new ProgressPacket { Time = Time, Id = 3, Done = 5 });
        Shows("n1 progress 3: 4/10 files", "n1 progress 3: 5");
    }

    [Test]
    public async Task Many_threads_never_mix_their_lines()
    {
        Task[] writers = Enumerable.Range(0, 8).Select(n => Task.Run(() =>
        {
            for (int i = 0; i < 500; i++)
            {
                _sink.Write("n" + n, Event($"{n} first {i}\n{n} second {i}"));
            }
        })).ToArray();
        await Task.WhenAll(writers).Within("the writers").ConfigureAwait(false);
        string[] lines = _writer.ToString().Split(['\n'], StringSplitOptions.RemoveEmptyEntries);
        Assert.That(lines, Has.Length.EqualTo(8000));
        for (int i = 0; i < lines.Length; i += 2)
        {
            Match first = Regex.Match(
                lines[i], @"^n(?<node>\d) Information cat: \k<node> first (?<i>\d+)$", RegexOptions.None, WithinExtensions.Bound);
            Assert.That(first.Success, Is.True, lines[i]);
            Assert.That(lines[i + 1], Is.EqualTo(
                $"n{first.Groups["node"].Value} Information cat: {first.Groups["node"].Value} second {first.Groups["i"].Value}"));
        }
    }

    [Test]
    public void A_writer_that_fails_is_remembered_and_left_alone()
    {
        var full = new FullDisk();
        var sink = new ConsoleSink(full);
        Assert.That(() => sink.Write("n1", Out("x")), Throws.Nothing);
        sink.Write("n1", Out("y"));
        sink.Flush();
        Assert.That((sink.Error?.Message, full.Calls), Is.EqualTo(("No space left on device", 1)));
    }

    private static LogEvent Event(string message, LogLevel level = LogLevel.Information, string category = "cat") =>
        new() { Time = Time, Level = level, Category = category, Message = message };

    private static OutputPacket Out(string text, bool partial = false) => new()
    {
        Time = Time, Stream = OutputStream.Out, Text = text, IsPartial = partial,
    };

    private void Shows(params string[] lines) => Assert.That(_writer.ToString(), Is.EqualTo(string.Concat(lines.Select(l => l + "\n"))));

    private sealed class FullDisk : StringWriter
    {
        public int Calls { get; private set; }

        public override void Write(char[] buffer, int index, int count)
        {
            Calls++;
            throw new IOException("No space left on device");
        }
    }
}
