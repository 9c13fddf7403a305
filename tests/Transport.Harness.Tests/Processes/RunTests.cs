using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using NUnit.Framework;

namespace BuildHarness.Tests.Processes;

/// <summary>Programs that know nothing of this library, and some that misbehave. Workers that speak the protocol: Transport.Processes.</summary>
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

    [TestCase("no-such-program-here", 127)]
    [TestCase("/etc/passwd", 126)]
    [TestCase("/tmp", 126)]
    public async Task What_cannot_be_started_is_one_line(string program, int exitCode)
    {
        using Harness run = await Harness.RunAsync("run", "--summary", "{summary}", "--", program);

        Assert.That(run.ExitCode, Is.EqualTo(exitCode));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
        Assert.That(run.Errors[0], Does.Contain(program));
        Assert.That(run.Summary().GetProperty("result").GetString(), Is.EqualTo("failed"));
    }

    [Test]
    public async Task What_it_writes_comes_as_lines_with_its_name_before_them()
    {
        using Harness run = await Harness.RunAsync("run", "--summary", "{summary}", "--", "sh", "-c", "echo one; printf 'e\\033[0m' >&2; printf two");

        Assert.That(run.Output, Is.EquivalentTo(new[] { "n1 out: one", "n1 out: two", "n1 err: e\\u001b[0m" }));
        Assert.That(run.Summary().GetProperty("nodes")[0].GetProperty("lastWords").EnumerateArray().Select(w => w.GetString()), Is.EqualTo(new[] { "e\u001b[0m" }));
    }

    [Test]
    public async Task A_long_line_is_shortened_on_stdout_and_whole_in_the_log()
    {
        using var folder = new TempFolder();
        string log = System.IO.Path.Combine(folder.Path, "log");
        using Harness run = await Harness.RunAsync("run", "--log", log, "--", "sh", "-c", "head -c 100000 /dev/zero | tr '\\0' x; echo; echo two");

        Assert.That(run.Output, Is.EqualTo(new[] { "n1 out: " + new string('x', 4088) + "… (100,008 characters)", "n1 out: two" }));
        Assert.That(System.IO.File.ReadAllLines(log)[0], Is.EqualTo("n1 out: " + new string('x', 100_000)));
    }

    [Test]
    public async Task A_worker_whose_link_breaks_has_failed_though_it_gave_0()
    {
        const string Script = "import os,socket\ns=socket.socket(socket.AF_UNIX)\ns.connect(os.environ['TRANSPORT_ENDPOINT'][5:])\ns.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n')\ns.recv(100)";
        if (!System.IO.File.Exists("/usr/bin/python3"))
        {
            Assert.Ignore("needs python3 (Debian: apt-get install python3)");
        }

        using Harness run = await Harness.RunAsync("run", "--wire", "unix", "--summary", "{summary}", "--", "/usr/bin/python3", "-c", Script);

        Assert.That(run.ExitCode, Is.EqualTo(125));
        Assert.That(run.Summary().GetProperty("refused").GetInt32(), Is.EqualTo(1));
        Assert.That(run.Summary().GetProperty("nodes")[0].GetProperty("end").GetString(), Is.EqualTo("FrameCorrupt"));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
    }
}
