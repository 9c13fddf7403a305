using System;
using System.Buffers;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal;
using Transport.Logging;
using Transport.MSBuild;
using Transport.Testing;

namespace Transport.Tool.Tests;

/// <summary>The program <c>transport</c>: what its commands print, and their exit codes.</summary>
[TestFixture]
internal sealed class JournalCommandTests
{
    private static readonly DateTimeOffset Time = new(2026, 11, 21, 19, 0, 0, TimeSpan.Zero);

    private TemporaryFolder _folder = null!;

    private string Journal => Path.Combine(_folder.Path, "journal");

    [SetUp]
    public void MakeFolder() => _folder = new TemporaryFolder();

    [TearDown]
    public void RemoveFolder() => _folder.Dispose();

    [Test]
    public async Task A_valid_journal_is_valid_to_each_command()
    {
        await using (PacketJournal journal = Open())
        {
            Append(journal, "a line", "another");
        }

        ToolRun verify = await ToolRun.Of("journal", "verify", Journal), stat = await ToolRun.Of("journal", "stat", Journal),
            dump = await ToolRun.Of("journal", "dump", Journal), follow = await ToolRun.Of("follow", Journal);

        Assert.That(new[] { verify, stat, dump, follow }.Select(run => (run.ExitCode, run.Errors.Length)), Is.All.EqualTo((0, 0)));
        Assert.That(verify.Output.Single(), Does.StartWith("valid: 3 packets, positions 1 to 3, in 1 segment of "));
        Assert.That(stat.Output, Has.Some.Match(@"^ {4}n1 BuildEvent \(512\): 1 packet, \d+ B$"));
        Assert.That(dump.Output[0], Does.Match(
            """^\{"position":1,"time":"[^"]+","node":"n1","type":257,"body":\{"time":"2026-11-21T19:00:00.0000000Z","stream":1"""
            + ""","text":"a line","partial":false,"context":null\}\}$"""));
        Assert.That(follow.Output, Is.EqualTo(new[] { "n1 out: a line", "n1 out: another", "n1 built" }));
    }

    [Test]
    public async Task What_was_not_closed_is_reported_in_one_line_with_exit_code_1()
    {
        string copy = Path.Combine(_folder.Path, "copy");
        await using (PacketJournal journal = Open())
        {
            Append(journal, "a line");
            Directory.CreateDirectory(copy);
            foreach (string file in Directory.GetFiles(Journal, "*.segment"))
            {
                File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));
            }
        }

        ToolRun verify = await ToolRun.Of("journal", "verify", copy), dump = await ToolRun.Of("journal", "dump", copy);

        Assert.That((verify.ExitCode, dump.ExitCode, dump.Output.Length), Is.EqualTo((1, 1, 2)));
        Assert.That(verify.Errors.Single(), Does.StartWith($"transport: {copy}: not closed: "));
    }

    [Test]
    public async Task A_journal_is_followed_while_it_is_written_until_it_is_closed()
    {
        Process follow;
        await using (PacketJournal journal = Open())
        {
            Append(journal, "first");
            follow = ToolRun.Start("follow", Journal, "-v", "quiet");
            Assert.That(await follow.StandardOutput.ReadLineAsync().WaitAsync(TimeSpan.FromSeconds(60)), Is.EqualTo("n1 out: first"));
            Append(journal, "second");
            Assert.That(await follow.StandardOutput.ReadLineAsync().WaitAsync(TimeSpan.FromSeconds(60)), Is.EqualTo("n1 out: second"));
        }

        using (follow)
        {
            ToolRun end = await ToolRun.EndAsync(follow);
            Assert.That((end.ExitCode, end.Output.Length, end.Errors.Length), Is.EqualTo((0, 0, 0)));
        }
    }

    [Test]
    public async Task The_oldest_segments_are_dropped_as_far_as_they_may()
    {
        await using (PacketJournal journal = Open())
        {
            for (int i = 0; i < 200; i++)
            {
                Append(journal, new string('x', 1000));
            }
        }

        ToolRun nothing = await ToolRun.Of("journal", "compact", Journal);
        ToolRun some = await ToolRun.Of("journal", "compact", Journal, "--below", "300");

        Assert.That((nothing.ExitCode, some.ExitCode), Is.EqualTo((0, 0)));
        Assert.That(nothing.Output.Single(), Does.StartWith("dropped 0 segments, 0 B; ").And.Contain("--max-bytes"));
        Assert.That(some.Output.Single(), Does.Match("^dropped [1-9] segments?, .*; the oldest position is [1-9]"));
    }

    [TestCase("", "transport: name a command: collect, watch, query, export, journal, follow, ship, receive, check-worker or doctor "
        + "(see --help).")]
    [TestCase("frob",
        "transport: frob is no command: expected collect, watch, query, export, journal, follow, ship, receive, check-worker or "
        + "doctor (see --help).")]
    [TestCase("journal", "transport: journal: expected verify, dump, stat or compact")]
    [TestCase("journal verify", "transport: verify: DIR is missing: the journal's directory")]
    [TestCase("journal dump d --form 3", "transport: dump: unknown option --form (did you mean --from?).")]
    [TestCase("journal dump d --type 12", "transport: --type 12: expected packet types, 256 to 65535.")]
    [TestCase("follow d -v loud", "transport: -v loud: expected quiet, minimal, normal")]
    [TestCase("journal verify /nowhere/at/all", "transport: \"/nowhere/at/all\" is no directory.")]
    public async Task A_mistake_is_one_line_and_exit_code_2(string line, string expected)
    {
        ToolRun run = await ToolRun.Of(line.Split(' ', StringSplitOptions.RemoveEmptyEntries));

        Assert.That((run.ExitCode, run.Output.Length), Is.EqualTo((2, 0)), () => string.Join('\n', run.Errors));
        Assert.That(run.Errors.Single(), Does.StartWith(expected));
    }

    [TestCase("journal verify", "0 valid")]
    [TestCase("journal compact", "3 it is in use")]
    [TestCase("follow", "1 its writer ended without closing it")]
    public async Task Help_reports_the_exit_codes(string line, string code)
    {
        ToolRun run = await ToolRun.Of([.. line.Split(' '), "--help"]);

        Assert.That(run.ExitCode, Is.Zero);
        Assert.That(string.Join('\n', run.Output), Does.Contain("DIR").And.Contain("Exit codes:").And.Contain(code));
    }

    private PacketJournal Open() => PacketJournal.Open(Journal, new JournalOptions { SegmentBytes = 64 << 10 });

    /// <summary>Appends lines and one build event, and commits them.</summary>
    private static void Append(PacketJournal journal, params string[] lines)
    {
        var node = new JournalNode("n1");
        foreach (string line in lines)
        {
            journal.Append(node, OutputPacket.PacketType.Id, Body(OutputPacket.PacketType, new OutputPacket
            {
                Time = Time, Stream = OutputStream.Out, Text = line,
            }));
        }

        var built = new BuildEvent { Kind = BuildEventKind.CriticalMessage, Message = "built", Fields = new object?[9] };
        journal.Append(node, BuildEvent.PacketType.Id, Body(BuildEvent.PacketType, built));
        journal.Commit(journal.Appended);
    }

    private static byte[] Body<T>(PacketType<T> type, T packet)
    {
        var output = new ArrayBufferWriter<byte>();
        type.Formatter.Write(output, packet);
        return output.WrittenSpan.ToArray();
    }
}
