using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Tests.Diagnostics;

/// <summary>Texts of others on their way to a terminal.</summary>
public sealed class TerminalTextTests
{
    [Test]
    public void Every_sign_that_a_terminal_obeys_is_escaped_and_no_other()
    {
        for (int code = 0; code <= char.MaxValue; code++)
        {
            string text = "a" + (char)code, escaped = TerminalText.Escape(text);
            bool isSign = HostileText.Signs.IndexOf((char)code) >= 0 || code is '\r' or '\n' || char.IsSurrogate((char)code);
            Assert.That(escaped, Is.EqualTo(isSign ? $"a\\u{code:x4}" : text));
        }
    }

    [TestCase("plain \u00E4\U0001F600 \\ '", "plain \u00E4\U0001F600 \\ '")]
    [TestCase("\u202Egpj.exe", "\\u202egpj.exe")]
    public void Names_are_safe_to_print(string name, string printed) => Assert.That(TerminalText.Escape(name), Is.EqualTo(printed));

    /// <summary>No attribute can hold half of a pair.</summary>
    [Test]
    public void Bytes_of_names_that_are_no_UTF8_stay_known() =>
        Assert.That(TerminalText.Escape("\uDCE9x\uD800"), Is.EqualTo("\\udce9x\\ud800"));

    [Test]
    public void Each_line_of_a_text_is_a_line_and_escaped()
    {
        Assert.That(TerminalText.Lines("a\r\nb\nc\rd\u001b[2J\n"), Is.EqualTo(new[] { "a", "b", "c", "d\\u001b[2J", "" }));
        Assert.That(TerminalText.Lines(""), Is.EqualTo(new[] { "" }));
    }

    [Test]
    public void A_text_without_such_signs_is_the_same_object()
    {
        string text = new('x', TerminalText.MaxLength);
        Assert.That(TerminalText.Line(text), Is.SameAs(text));
        Assert.That(TerminalText.Escape(text), Is.SameAs(text));
    }

    [Test]
    public void A_long_line_keeps_its_beginning_and_its_end_and_says_how_much_is_missing()
    {
        string line = TerminalText.Line("begin" + new string('x', 60_000) + "end");
        Assert.That(line, Does.StartWith("beginxxx").And.EndWith("xxxend").And.Contain("x… (55,912 characters cut) …x"));
        Assert.That(line.Length - "… (55,912 characters cut) …".Length, Is.EqualTo(TerminalText.MaxLength));
        string few = TerminalText.Line("begin" + new string('x', 60_000) + "end", 20);
        Assert.That(few, Is.EqualTo("beginxxxxxxxxxx… (59,988 characters cut) …xxend"));
    }

    [Test]
    public void No_pair_of_surrogates_is_cut_in_two([Range(4150, 4170)] int length)
    {
        string line = TerminalText.Line(string.Concat(Enumerable.Repeat("\ud83d\ude00", length)) + new string('y', length & 1));
        Assert.That(line.Where((c, i) => char.IsHighSurrogate(c) && !char.IsLowSurrogate(line[i + 1])), Is.Empty);
        Assert.That(line.Where((c, i) => char.IsLowSurrogate(c) && !char.IsHighSurrogate(line[i - 1])), Is.Empty);
    }

    [Test]
    public void A_line_that_was_made_once_stays_as_it_is()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (int i = 0; i < 500; i++)
        {
            char[] text = [.. Enumerable.Range(0, random.Next(9000)).Select(_ => random.Next(4) == 0 ? (char)random.Next(0x2070) : 'x')];
            string line = TerminalText.Line(new string(text));
            Assert.That(HostileText.FaultOf(line), Is.Null);
            Assert.That(TerminalText.Line(line), Is.EqualTo(line));
        }
    }

    [Test]
    public void What_a_peer_says_reaches_no_terminal_by_the_text_of_an_end_or_a_refusal()
    {
        var receipt = new LinkReceipt();
        var end = new LinkEnd(TransportFault.Aborted, HostileText.Value, null, receipt);
        var refused = new RefusedConnection
        {
            Code = "version", Message = HostileText.Value, Identity = new PeerIdentity { UserId = 1, ProcessId = 1 },
        };
        var exitReport = new WorkerExit
        {
            Node = "n1",
            Cause = HostileText.Value,
            FileName = HostileText.Value,
            Executable = HostileText.Value,
            CurrentActivity = HostileText.Value,
            KillReason = HostileText.Value,
            Link = end,
            UnhandledByType = [new(HostileText.Value, 1)],
            LastErrorLines = [HostileText.Value, "last output"],
        };

        string[] lines = [end.ToString(), refused.ToString(), .. exitReport.Report.Split('\n')];
        Assert.That(lines.Select(HostileText.FaultOf), Is.All.Null);
        Assert.That(lines[0], Does.StartWith(@"Aborted: \u001b]0;title").And.EndWith(@"\u202eend"));
        Assert.That(lines[2], Does.StartWith("n1 (pid 0, "));
        Assert.That(lines[lines.Length - 1], Is.EqualTo("  stderr: last output"));
        Assert.That(end.Reason, Is.EqualTo(HostileText.Value), "it stands there as it came");
    }
}
