using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Tests.Extract;
using BuildHarness.Tests.Journal;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary>A terminal that is closed: the signal comes, and what is written to it fails from then on.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class HangupTests
{
    /// <summary>Runs a program on a terminal of its own, closes that once a file is there, and reports the program's exit code; 1000 and
    /// the signal if one killed it.</summary>
    private const string OnTerminal = """
        import os, pty, select, sys, time
        pid, terminal = pty.fork()
        if pid == 0:
            os.execvp(sys.argv[2], sys.argv[2:])
        until = time.monotonic() + 200
        while not os.path.exists(sys.argv[1]) and time.monotonic() < until:
            if select.select([terminal], [], [], 0.05)[0]:
                os.read(terminal, 65536)
        os.close(terminal)
        status = os.waitpid(pid, 0)[1]
        print(1000 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
        """;

    [TestCase("xterm", Description = "the live view")]
    [TestCase("dumb", Description = "plain lines")]
    public async Task A_closed_terminal_ends_a_build_with_its_journal_closed_and_nothing_left(string terminal)
    {
        if (terminal == "dumb")
        {
            Nightly.Only("the same without a live view");
        }

        using var folder = new TemporaryFolder();
        string flag = Path.Combine(folder.Path, "flag"), target = Path.Combine(folder.Path, "out"),
            journal = Path.Combine(folder.Path, "journal"), summary = Path.Combine(folder.Path, "summary.json");
        string solution = PlainProjects.Four(folder,
            b: $"<Target Name=\"Wait\" BeforeTargets=\"CoreCompile\"><Exec Command=\"touch {flag} &amp;&amp; exec sleep 120\" /></Target>");

        int exitCode = await RunAsync(folder, terminal, flag, "build", solution, "--nodes", "2", "--no-restore",
            "--collect-outputs", target, "--journal", journal, "--summary", summary);

        Assert.That(exitCode, Is.EqualTo(129));
        Assert.That(File.ReadAllText(summary), Does.Contain("the build was interrupted"));
        (int dumped, string[] errors, Dumped[] packets) = await JournalRig.DumpAsync(journal);
        Assert.That((dumped, errors), Is.EqualTo((0, Array.Empty<string>())), "a journal that was not closed is not valid");
        Assert.That(packets, Is.Not.Empty);
        Assert.That(Extracting.NamesIn(folder.Path).Where(name => name.StartsWith(".out", StringComparison.Ordinal) || name == "out"),
            Is.Empty);
    }

    private static async Task<int> RunAsync(TemporaryFolder folder, string terminal, string flag, params IEnumerable<string> words)
    {
        if (!File.Exists(JournalRig.Python))
        {
            Assert.Ignore("needs python3 (Debian: apt-get install python3)");
        }

        string harness = Path.Combine(TestContext.CurrentContext.TestDirectory, "buildharness.dll");
        (int exitCode, string output) =
            await Extracting.RunAsync(
            JournalRig.Python, folder.Path, ["-c", OnTerminal, flag, "/usr/bin/env", "--default-signal=INT,TERM,HUP", "TERM=" + terminal,
            "UseSharedCompilation=false", "MSBUILDDISABLENODEREUSE=1", Harness.DotNet, harness, .. words]);
        Assert.That(exitCode, Is.Zero, output);
        return int.Parse(output, System.Globalization.CultureInfo.InvariantCulture);
    }
}
