using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary>Programs that know nothing of this library, and some that misbehave. Workers that speak the protocol:
/// Transport.Processes.Tests.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class RunTests
{
    [TestCase("exit 0", 0, "exit 0")]
    [TestCase("exit 3", 3, "exit 3")]
    [TestCase("kill -9 $$", 137, "killed SIGKILL")]
    [TestCase("kill -TERM $$", 143, "killed SIGTERM")]
    public async Task The_exit_code_is_the_programs_own(string script, int exitCode, string end)
    {
        using Harness run = await Harness.RunAsync("run", "--summary", "{summary}", "--", "sh", "-c", script);

        Assert.That(run.ExitCode, Is.EqualTo(exitCode));
        JsonElement summary = run.Summary();
        Assert.That(summary.GetProperty("result").GetString(), Is.EqualTo(exitCode == 0 ? "succeeded" : "failed"));
        Assert.That(summary.GetProperty("nodes")[0].GetProperty("end").GetString(), Is.EqualTo(end));
    }

    [TestCase("kill -9 $$", "was killed SIGKILL", "killed SIGKILL", "SIGKILL", null)]
    [TestCase("kill -SEGV $$", "was killed SIGSEGV", "killed SIGSEGV", "SIGSEGV", null)]
    [TestCase("kill -TERM $$", "was killed SIGTERM", "killed SIGTERM", "SIGTERM", null)]
    [TestCase("exit 3", "ended with exit 3", "exit 3", null, 3)]
    [TestCase("exit 137", "ended with exit 137", "exit 137", null, 137)]
    public async Task An_exit_is_a_block_on_stdout_and_whole_in_the_summary(
        string exit, string words, string cause, string? signal, int? exitCode)
    {
        using Harness run = await Harness.RunAsync(
            "run", "--summary", "{summary}", "--", "sh", "-c", "ulimit -c 0; echo 'last \u001b[2J words' >&2; " + exit);

        JsonElement node = run.Summary().GetProperty("nodes")[0];
        JsonElement exitReport = node.GetProperty("exitReport");
        Assert.That(run.Errors, Is.Empty);
        Assert.That(run.Output, Has.Some.EqualTo($"n1 (pid {node.GetProperty("pid")}) {words} while it ran sh"));
        Assert.That(Harness.Block(run.Output, "while it ran sh"),
            Has.Some.EqualTo("stderr: last \\u001b[2J words").And.Some.EqualTo("never had a link"));
        Assert.Multiple(() =>
        {
            Assert.That(exitReport.GetProperty("node").GetString(), Is.EqualTo("n1"));
            Assert.That(exitReport.GetProperty("pid").GetInt32(), Is.EqualTo(node.GetProperty("pid").GetInt32()));
            Assert.That(exitReport.GetProperty("cause").GetString(), Is.EqualTo(cause));
            Assert.That(exitReport.GetProperty("signal").GetString(), Is.EqualTo(signal));
            Assert.That(exitReport.GetProperty("exitCode").ValueKind == JsonValueKind.Null ? (int?)null
                : exitReport.GetProperty("exitCode").GetInt32(), Is.EqualTo(exitCode));
            Assert.That(exitReport.GetProperty("fatalError").ValueKind, Is.EqualTo(JsonValueKind.Null));
            Assert.That(exitReport.GetProperty("executable").GetString(), Does.EndWith("/sh"));
            Assert.That(exitReport.GetProperty("lastErrorLines").EnumerateArray().Select(l => l.GetString()),
                Is.EqualTo(new[] { "last \u001b[2J words" }));
            Assert.That(exitReport.GetProperty("lastPackets").GetArrayLength(), Is.Zero);
            Assert.That(exitReport.GetProperty("lifeMs").GetInt64(), Is.Not.Negative);
        });
    }

    [Test]
    public async Task A_clean_end_is_no_block_but_has_its_exit_report()
    {
        using Harness run = await Harness.RunAsync("run", "--summary", "{summary}", "--", "true");

        Assert.That(run.Output, Is.Empty);
        Assert.That(run.Summary().GetProperty("nodes")[0].GetProperty("exitReport").GetProperty("cause").GetString(),
            Is.EqualTo("exit 0"));
    }

    [TestCase("no-such-program-here", 127)]
    [TestCase("/etc/passwd", 126)]
    [TestCase("/tmp", 126)]
    public async Task What_cannot_be_started_is_one_line(string program, int exitCode)
    {
        using Harness run = await Harness.RunAsync("run", "--summary", "{summary}", "--", program);

        Assert.That(run.ExitCode, Is.EqualTo(exitCode));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
        Assert.That(run.Errors[0], Does.Contain(program));
        Assert.That(run.Output, Is.Empty, "no exit report of what never started");
        Assert.That(run.Summary().GetProperty("result").GetString(), Is.EqualTo("failed"));
    }

    [Test]
    public async Task What_it_writes_comes_as_lines_with_its_name_before_them()
    {
        using Harness run = await Harness.RunAsync(
            "run", "--summary", "{summary}", "--", "sh", "-c", "echo one; printf 'e\\033[0m' >&2; printf two");

        Assert.That(run.Output, Is.EquivalentTo(new[] { "n1 out: one", "n1 out: two", "n1 err: e\\u001b[0m" }));
        Assert.That(run.Summary().GetProperty("nodes")[0].GetProperty("lastWords").EnumerateArray().Select(w => w.GetString()),
            Is.EqualTo(new[] { "e\u001b[0m" }));
    }

    [Test]
    public async Task A_long_line_is_shortened_on_stdout_and_whole_in_the_log()
    {
        using var folder = new TemporaryFolder();
        string log = System.IO.Path.Combine(folder.Path, "log");
        using Harness run = await Harness.RunAsync(
            "run", "--log", log, "--", "sh", "-c", "head -c 100000 /dev/zero | tr '\\0' x; echo; echo two");

        string cut = new string('x', 3066) + "… (95,912 characters cut) …" + new string('x', 1022);
        Assert.That(run.Output, Is.EqualTo(new[] { "n1 out: " + cut, "n1 out: two" }));
        Assert.That(System.IO.File.ReadAllLines(log)[0], Is.EqualTo("n1 out: " + new string('x', 100_000)));
    }

    [Test]
    public async Task A_worker_whose_link_breaks_has_failed_though_it_gave_0()
    {
        const string Script = "import os,socket\ns=socket.socket(socket.AF_UNIX)\ns.connect(os.environ['TRANSPORT_ENDPOINT'][5:])\n"
            + "s.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n')\ns.recv(100)";
        if (!System.IO.File.Exists("/usr/bin/python3"))
        {
            Assert.Ignore("needs python3 (Debian: apt-get install python3)");
        }

        using Harness run = await Harness.RunAsync(
            "run", "--wire", "unix", "--summary", "{summary}", "--", "/usr/bin/python3", "-c", Script);

        Assert.That(run.ExitCode, Is.EqualTo(125));
        Assert.That(run.Summary().GetProperty("refused").GetInt32(), Is.EqualTo(1));
        Assert.That(run.Summary().GetProperty("nodes")[0].GetProperty("end").GetString(), Is.EqualTo("FrameCorrupt"));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
        Assert.That(run.Output, Has.Some.Matches(@"^n1 \(pid \d+\) ended \(FrameCorrupt\) while it ran /usr/bin/python3$"));
    }
}
