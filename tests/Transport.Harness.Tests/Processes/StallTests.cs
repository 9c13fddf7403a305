using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using NUnit.Framework;

namespace BuildHarness.Tests.Processes;

/// <summary>A worker whose one thread is busy elsewhere, over real time: what the console and the summary say of it.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class StallTests
{
    /// <summary>A worker by PROTOCOL.md alone, in bytes: says Hello, then is in what it does until a line is typed, then answers Pings
    /// until a second one is, and says Goodbye.</summary>
    private const string Worker = """
        import os, select, socket, struct
        def text(s): return bytes([0xa0 | len(s)]) + s.encode()
        def frame(type, body): return b'\x93\x00\xcd' + struct.pack('>H', type) + b'\xc6' + struct.pack('>I', len(body)) + body
        s = socket.socket(socket.AF_UNIX)
        s.connect(os.environ['TRANSPORT_ENDPOINT'][5:])
        s.sendall(frame(1, b'\x84' + text('protocol') + text('transport') + text('min') + b'\x01' + text('max') + b'\x01'
                        + text('secret') + b'\xc4\x20' + bytes.fromhex(os.environ['TRANSPORT_SECRET'])))
        def read():
            head = s.recv(10, socket.MSG_WAITALL)
            return struct.unpack('>H', head[3:5])[0], s.recv(struct.unpack('>I', head[6:])[0], socket.MSG_WAITALL)
        read()
        print('busy', flush=True)
        os.read(0, 1024)
        while True:
            ready = select.select([s, 0], [], [])[0]
            if s in ready:
                type, body = read()
                if type == 6:
                    s.sendall(frame(7, body))
            elif 0 in ready:
                break
        s.sendall(frame(4, b'\x81' + text('packets') + b'\x00'))
        while s.recv(4096): pass
        """;

    [Test]
    public async Task A_worker_that_takes_nothing_is_a_line_when_it_begins_and_one_when_it_is_over()
    {
        if (!File.Exists("/usr/bin/python3"))
        {
            Assert.Ignore("needs python3 (Debian: apt-get install python3)");
        }

        using Harness run = Harness.Start(
            "run", "--wire", "unix", "--stall-timeout", "3", "--summary", "{summary}", "--", "/usr/bin/python3", "-c", Worker);
        await run.SaysAsync(line => line == "n1 out: busy");
        string begun = await run.SaysAsync(line => line.Contains(" stalled ", System.StringComparison.Ordinal));
        Assert.That(begun, Does.Match(@"^n1 \(pid \d+\) stalled \(on /usr/bin/python3\): n1 has taken nothing from main for \d+\.\d s, "
            + @"so main waits for n1 \(it answers no Ping; queued 0 B here; what is queued there it has not reported; .*\): look at "));
        run.Type("go on");
        await run.SaysAsync(line => line.Contains(" goes on: ", System.StringComparison.Ordinal));
        run.Type("end");   // not before: a link that ends first is reported to have stalled to its end
        await run.EndAsync();

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(run.Output.Count(line => line.Contains(" stalled ", System.StringComparison.Ordinal)), Is.EqualTo(1));
        JsonElement stalls = run.Summary().GetProperty("nodes")[0].GetProperty("stalls");
        Assert.That(stalls.GetArrayLength(), Is.EqualTo(1));
        JsonElement stall = stalls[0];
        Assert.That(stall.GetProperty("endedWithLink").GetBoolean(), Is.False);
        Assert.That((stall.GetProperty("kind").GetString(), stall.GetProperty("over").GetBoolean(),
            stall.GetProperty("queuedBytes").GetInt64()), Is.EqualTo(("worker", true, 0L)));
        Assert.That(stall.GetProperty("ms").GetInt64(), Is.GreaterThanOrEqualTo(2400), "about three seconds, when it was reported");
    }

    [Test]
    public async Task A_stall_that_only_the_end_of_the_link_ends_is_reported_with_it()
    {
        if (!File.Exists("/usr/bin/python3"))
        {
            Assert.Ignore("needs python3 (Debian: apt-get install python3)");
        }

        using Harness run = Harness.Start(
            "run", "--wire", "unix", "--stall-timeout", "1", "--summary", "{summary}", "--", "/usr/bin/python3", "-c", Worker);
        string begun = await run.SaysAsync(line => line.Contains(" stalled ", System.StringComparison.Ordinal));
        Harness.Kill(int.Parse(begun.Split("(pid ")[1].Split(')')[0], System.Globalization.CultureInfo.InvariantCulture), "KILL");
        await run.EndAsync();

        Assert.That(run.Output, Has.Some.Match(
            @"^n1 \(pid \d+\) stalled to its end: the link of main with n1 has ended, after \d+\.\d s in which n1 took nothing$"));
        Assert.That(run.Output, Has.None.Contains("goes on"));
        JsonElement stall = run.Summary().GetProperty("nodes")[0].GetProperty("stalls")[0];
        Assert.That((stall.GetProperty("over").GetBoolean(), stall.GetProperty("endedWithLink").GetBoolean()), Is.EqualTo((true, true)));
    }

    [Test]
    public async Task A_worker_that_does_not_connect_is_named_too()
    {
        using Harness run = Harness.Start("run", "--stall-timeout", "0.5", "--summary", "{summary}", "--", "sh", "-c", "read word");
        string begun = await run.SaysAsync(line => line.Contains(" stalled ", System.StringComparison.Ordinal));
        Assert.That(begun, Does.Match(@"^n1 \(pid \d+\) stalled \(on sh\): n1 has not connected \d+\.\d s after its start, so main waits "
            + @"for n1, and kills it after 30\.0 s \(MainNodeOptions\.ConnectTimeout\): look at "));
        run.Type("go on");
        await run.EndAsync();

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(run.Output,
            Has.Some.Match(@"^n1 \(pid \d+\) stalled to its end: n1 has ended without ever having connected, \d+\.\d s after its start$"));
        JsonElement stall = run.Summary().GetProperty("nodes")[0].GetProperty("stalls")[0];
        Assert.That((stall.GetProperty("kind").GetString(), stall.GetProperty("over").GetBoolean()), Is.EqualTo(("connecting", true)));
    }

    [Test]
    public async Task What_does_not_stall_says_so_in_the_summary()
    {
        using Harness run = await Harness.RunAsync("run", "--summary", "{summary}", "--", "true");
        Assert.That(run.Summary().GetProperty("nodes")[0].GetProperty("stalls").GetArrayLength(), Is.Zero);
    }
}
