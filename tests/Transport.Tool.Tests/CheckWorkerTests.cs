using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Tool.Tests;

/// <summary>The command <c>check-worker</c>: a worker in Python that breaks one rule is found out by its name, one that breaks none
/// passes.</summary>
internal sealed class CheckWorkerTests
{
    private const string Python = "/usr/bin/python3";

    [TestCase("samples/polyglot/worker.py", "20 0")]
    [TestCase("tests/clients/broken.py", "none")]
    [TestCase("tests/clients/broken.py", "asks")]
    public async Task A_worker_that_keeps_the_rules_is_compatible(string script, string arguments)
    {
        ToolRun run = await CheckAsync(script, arguments);
        Assert.That(run.Output.Last(), Does.StartWith("compatible: 9 cases hold").Or.StartWith("compatible: 10"));
        Assert.That((run.ExitCode, run.Errors.Length), Is.EqualTo((0, 0)));
        Assert.That(run.Output.Count(line => line.StartsWith("  ok ", StringComparison.Ordinal)), Is.AtLeast(9));
    }

    [TestCase("secret", "connects and says Hello: expected: Hello has the secret as bin of 32 bytes")]
    [TestCase("pong", "answers Ping with its id: Pong with id 1 did not come within 1 s")]
    [TestCase("lane", "answers Ping with its id: expected: types below 256 travel on lane 0, whole, and others on lanes 1 to 3 (type 256 "
        + "arrived on lane 0)")]
    [TestCase("body", "the body of a packet of type 256 is not one value of MessagePack")]
    [TestCase("count", "ends in order when the main node closes, and every packet is counted: expected: Goodbye counts the 1 packets that "
        + "arrived (it says 2)")]
    [TestCase("loud", "sends no log event while the level is None: Welcome named level 6, None, and 1 log event arrived")]
    [TestCase("content", "ends by itself, with another exit code than 0, when it is refused: its exit code is 0")]
    public async Task A_worker_that_breaks_one_rule_fails_in_its_case(string mode, string failure)
    {
        ToolRun run = await CheckAsync("tests/clients/broken.py", mode);
        int at = Array.FindIndex(run.Output, line => line.StartsWith("  FAIL ", StringComparison.Ordinal));
        Assert.That(run.Output[at], Does.Contain(failure), string.Join('\n', run.Output));
        Assert.That(run.Output[at + 1], Does.Match("^        its process (ended: (exit|killed) .*|still ran, and was killed)$"));
        Assert.That(run.Output.Last(), Does.Match("^not compatible: [0-9]+ cases? failed, "));
        Assert.That(run.Output, Has.Some.Contains("on bytes that are no frame"), "the cases behind it are tried too");
        Assert.That(run.ExitCode, Is.EqualTo(1));
    }

    /// <summary>It hung in a write, whatever --patience said.</summary>
    [Test]
    public async Task A_worker_that_never_reads_fails_each_case_in_its_time()
    {
        Task<ToolRun> checking = CheckAsync("tests/clients/broken.py", "deaf");
        ToolRun run = await checking.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.That(run.Output.Last(), Does.StartWith("not compatible: "), string.Join('\n', run.Output));
        Assert.That(run.Output, Has.Some.Contains("did not come within 1 s").Or.Some.Contains("did not read what was sent to it within 1 s"));
        Assert.That(run.ExitCode, Is.EqualTo(1));
    }

    [TestCase("is missing", "check-worker")]
    [TestCase("takes a number of seconds, 0.1 to 600", "check-worker", "--patience", "soon", "--", "true")]
    [TestCase("no-such-program cannot be started: No program", "check-worker", "--", "no-such-program")]
    public async Task A_users_mistake_is_one_line(string words, params string[] arguments)
    {
        ToolRun run = await ToolRun.Of(arguments);
        Assert.That(run.Errors.Single(), Does.StartWith("transport: check-worker").And.Contain(words));
        Assert.That(run.ExitCode, Is.EqualTo(2));
    }

    [Test]
    public async Task Of_a_program_that_is_no_worker_it_says_what_is_missing()
    {
        ToolRun run = await ToolRun.Of("check-worker", "--patience", "0.2", "--", "/bin/sleep", "60");
        Assert.That(run.Output[1], Is.EqualTo(
            "  FAIL  connects and says Hello: it did not connect to TRANSPORT_ENDPOINT within 0.2 s"));
        run = await ToolRun.Of("check-worker", "--", "/bin/sh", "-c", "echo wrong way >&2; exit 3");
        Assert.That(run.Output[1], Does.Contain("it ended (exit 3) before it connected: wrong way"));
        Assert.That(run.Output[2..4], Is.EqualTo(new[] { "        its process ended: exit 3", "        stderr: wrong way" }));
    }

    private static async Task<ToolRun> CheckAsync(string script, string arguments)
    {
        ToolRun run = await ToolRun.Of(
            ["check-worker", "--patience", "1", "--", Python, Path.Combine(Repository.Root, script), .. arguments.Split(' ')]);
        if (run.Errors.Any(line => line.Contains(Python, StringComparison.Ordinal))
            || run.Output.Any(line => line.Contains("No module named 'msgpack'", StringComparison.Ordinal)))
        {
            const string Needed = "python3-msgpack (Debian: apt-get install python3-msgpack)";
            Assert.That(Environment.GetEnvironmentVariable("CI"), Is.Not.EqualTo("true"), "CI needs " + Needed);
            Assert.Ignore("Needs " + Needed);
        }

        return run;
    }
}
