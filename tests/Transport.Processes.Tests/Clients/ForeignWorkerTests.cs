using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;
using Transport.Processes.Tests.Packets;
using Transport.Testing.Links;

namespace Transport.Processes.Tests.Clients;

/// <summary>Valid workers in Python, JavaScript and C, written from PROTOCOL.md alone.</summary>
public sealed class ForeignWorkerTests
{
    [TestCase("worker.py", "unix", "Python: ü \ud83d\udc0d")]
    [TestCase("worker.py", "pipe", "Python: ü \ud83d\udc0d")]
    [TestCase("worker.js", "unix", "Node.js: ü \ud83d\udc22")]
    [TestCase("worker.js", "pipe", "Node.js: ü \ud83d\udc22")]
    [TestCase("worker.c", "unix", "C: ü \ud83d\udc22")]
    [TestCase("worker.py", "inherited", "Python: ü \ud83d\udc0d")]
    [TestCase("worker.js", "inherited", "Node.js: ü \ud83d\udc22")]
    [TestCase("worker.c", "inherited", "C: ü \ud83d\udc22")]
    public async Task Ten_thousand_events_arrive_whole_and_in_order_with_urgent_ones_inside_the_big_one(
        string program, string wire, string greeting)
    {
        ClientRun run = await ClientRun.OfAsync("samples/polyglot/" + program, [], wire).ConfigureAwait(false);
        LogEvent[] normal = run.Events.Where(e => e.Level == LogLevel.Information).ToArray();
        LogEvent[] urgent = run.Events.Where(e => e.Level == LogLevel.Error).ToArray();
        int big = run.Events.FindIndex(e => e.Message.Length > 1_000_000);
        Assert.Multiple(() =>
        {
            Assert.That(run.End.Cause, Is.EqualTo("clean"));
            Assert.That((run.Receipt.Received, run.Receipt.PeerSent), Is.EqualTo((10_020L, (long?)10_020L)),
                "10,000 events, 8 urgent ones, 10 times progress, 2 lines");
            Assert.That(normal.Select(e => e.Properties.Single().Value.Integer),
                Is.EqualTo(Enumerable.Range(0, 10_000).Select(i => (long)i)));
            Assert.That(run.Events[big].Message, Is.EqualTo("event 5000 " + new string('x', 5_000_000)));
            Assert.That(urgent.Select(e => e.Message), Is.EqualTo(Enumerable.Range(0, 8).Select(i => $"urgent {10 * i}")));
            Assert.That(urgent.Max(run.Events.IndexOf), Is.LessThan(big), "urgent packets overtake the rest of the big one");
            Assert.That(run.Outputs.Select(o => $"{o.Stream} {o.Text}"),
                Is.EqualTo(new[] { "Out hello from " + greeting, "Error done" }));
            Assert.That(run.Progress.Select(p => (p.Done, p.Total)),
                Is.EqualTo(Enumerable.Range(1, 10).Select(i => (i * 1000L, (long?)10_000L))));
            Assert.That(run.End.LastErrorLines, Is.EqualTo(new[] { "ledger: sent=10020 acknowledged=10020 received=0 end=clean" }));
        });
    }

    [TestCase("silent", "unix")]
    [TestCase("ping", "unix")]
    [TestCase("silent", "pipe")]
    [TestCase("ping", "pipe")]
    [TestCase("silent", "inherited")]
    [TestCase("ping", "inherited")]
    public async Task A_fork_that_keeps_the_socket_open_does_not_delay_the_end_nor_change_its_cause(string child, string wire)
    {
        // No silence ends the link: if the fork held its end up, the test would wait in vain.
        ClientRun run = await ClientRun.OfAsync("tests/clients/fork.py", [child], wire, change: o =>
            o.Heartbeat.SilenceTimeout = TimeSpan.FromMinutes(10)).ConfigureAwait(false);
        Assert.That((run.End.Cause, run.Events.Count), Is.EqualTo(("exit 7", 100)));
        Assert.That(run.BytesReceived, Is.LessThan(4 << 20),
            "the child's Pings are not read until they are more than a socket could have held");
    }

    /// <summary>Each kind of end has its report, though the worker lives on.</summary>
    [TestCase("read", "PeerGone; killed SIGKILL")]
    [TestCase("write", "PeerGone; killed SIGKILL")]
    [TestCase("both", "PeerGone; killed SIGKILL")]
    [TestCase("garbage", "FrameCorrupt; killed SIGKILL")]
    public async Task A_worker_that_closes_or_spoils_its_pipes_is_reported_and_ended(string what, string cause)
    {
        ClientRun run = await ClientRun.OfAsync(
            "tests/clients/ends.py", [what], "inherited", o => o.Heartbeat.PingInterval = TimeSpan.FromMilliseconds(200),
            grace: TimeSpan.FromMilliseconds(300)).ConfigureAwait(false);
        Assert.That((run.End.Cause, run.Events.Count), Is.EqualTo((cause, 100)));
    }

    /// <summary>Welcome waited for room in a pipe that nobody read, and with it the thread of all handshakes.</summary>
    [Test]
    public async Task A_worker_that_fills_its_own_pipe_holds_nobody_up()
    {
        ClientRun run = await ClientRun.OfAsync("tests/clients/fill.py", [], "inherited").ConfigureAwait(false);
        Assert.That(run.End.Cause, Does.Contain("exit 7"));
        Assert.That(run.Refused.Single().Message, Does.Contain("Welcome could not be written"));
        Assert.That(run.End.LifeTime, Is.LessThan(System.TimeSpan.FromSeconds(50)), "its child lives for a minute");
    }

    [TestCase("worker.py")]
    [TestCase("worker.js")]
    [TestCase("worker.c")]
    public async Task A_worker_hears_the_least_level_and_sends_nothing_below(string program)
    {
        ClientRun run = await ClientRun.OfAsync(
            "samples/polyglot/" + program, ["50", "0"], change: o => o.MinimumLevel = PacketLevel.Warning).ConfigureAwait(false);
        Assert.That((run.Events.Count, run.Outputs.Count, run.End.Cause), Is.EqualTo((0, 2, "clean")));
    }

    [TestCase("unix")]
    [TestCase("pipe")]
    [TestCase("inherited")]
    public async Task A_worker_that_writes_byte_by_byte_is_read_like_any_other(string wire)
    {
        ClientRun run = await ClientRun.OfAsync("tests/clients/dribble.py", ["20", "70000"], wire).ConfigureAwait(false);
        Assert.That(run.End.Cause, Is.EqualTo("clean"));
        Assert.That(run.Events.Select(e => e.Message.Length),
            Is.EqualTo(Enumerable.Range(0, 20).Select(i => $"event {i}".Length).Append("big ".Length + 70_000)));
        Assert.That((run.Receipt.Received, run.Words[0], run.Words.Contains("ack:21"), run.Words.Contains("goodbye:clean")),
            Is.EqualTo((21L, "welcome", true, true)));
    }

    [TestCase("unix")]
    [TestCase("pipe")]
    [TestCase("inherited")]
    public async Task Texts_and_maps_of_the_tables_are_followed_in_both_directions(string wire)
    {
        ClientRun run = await ClientRun.OfAsync("tests/clients/tables.py", [], wire, send: link =>
        {
            for (int i = 0; i < 100; i++)
            {
                _ = link.TrySend(LogEvent.PacketType, Event("Compiler", $"message {i % 3}", i % 2), i % 4 == 0 ? Lane.Urgent : Lane.Normal);
            }

            for (int i = 0; i < 10; i++)
            {
                _ = link.TrySend(i % 2 == 0 ? Words.Type : Words.Application, Words.OfMap(("name", "value"), ("number", $"{i % 4}")));
            }

            foreach (Lane last in new[] { Lane.Urgent, Lane.Normal })
            {
                _ = link.TrySend(ProgressPacket.PacketType, new Logging.ProgressPacket
                {
                    Time = DateTimeOffset.FromUnixTimeSeconds(0), Id = 1, Done = 1,
                }, last);
            }
        }).ConfigureAwait(false);
        string[] got = run.Words[0].Split(';');
        Assert.Multiple(() =>
        {
            Assert.That(run.End.Cause, Is.EqualTo("clean"));
            Assert.That(run.Events.Where(e => e.Message != "urgent zero").Select(Shown), Is.EqualTo(new[]
            {
                "zero: dreihundert ü ", "zero: large id zero=largest id", "client: set again path=dreihundert ü,zero=5 zero",
                    "client: zero ",
            }));
            Assert.That(run.Events.Select(e => e.Message), Has.One.EqualTo("urgent zero"));
            foreach (Lane lane in new[] { Lane.Urgent, Lane.Normal })
            {
                Assert.That(got.Where(g => g[0] - '0' == (int)lane),
                    Is.EqualTo(Enumerable.Range(0, 100).Where(i => (i % 4 == 0) == (lane == Lane.Urgent))
                    .Select(i => $"{(int)lane}/Compiler/message_{i % 3}/file=src/file{i % 2}.cs,number={i % 2}")), lane.ToString());
            }

            Assert.That(got.Where(g => g[0] == 'w'), Is.EqualTo(Enumerable.Range(0, 10).Select(i => $"w/name=value,number={i % 4}")));
            Assert.That(run.Words.Single(w => w.StartsWith("tables:", StringComparison.Ordinal)), Does.EndWith("+1").And.Not.Contain("+0"));
            Assert.That((run.Receipt.Received, run.Receipt.PeerSent, run.Receipt.NoLossKnown), Is.EqualTo((12L, (long?)12L, true)),
                run.Receipt.ToString());
        });

        static LogEvent Event(string category, string message, int file) => new()
        {
            Time = DateTimeOffset.FromUnixTimeSeconds(0), Level = LogLevel.Information, Category = category, Message = message,
            Properties = [new("file", $"src/file{file}.cs"), new("number", file)],
        };

        static string Shown(LogEvent e) => $"{e.Category}: {e.Message} "
            + $"{string.Join(",", e.Properties.Select(p => $"{p.Name}={p.Value}"))}{(e.Exception is null ? "" : " " + e.Exception)}";
    }

    [TestCase("unix")]
    [TestCase("pipe")]
    [TestCase("inherited")]
    public async Task A_worker_of_Node_streams_numbers_as_they_are_read_and_stops_if_nobody_reads(string wire)
    {
        List<int> read = [];
        var cancelled = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        ClientRun run = await ClientRun.OfAsync("samples/polyglot/worker.js", ["0", "0", "serve"], wire, o => o.StreamWindowBytes = 1024,
            link => _ = ReadAsync(link)).ConfigureAwait(false);
        Assert.That(run.End.Cause, Is.EqualTo("clean"), run.End.Report);
        Assert.That(await cancelled.Task.ConfigureAwait(false), Is.True);
        Assert.That(read, Is.EqualTo(Enumerable.Range(0, 1_000)));
        Assert.That(run.Receipt.PeerSent, Is.LessThan(1_100), "a thousand items, and few of the ten million of which ten are read");

        async Task ReadAsync(Link link)
        {
            await foreach (Number number in link.RequestStreamAsync(new Count(1_000)).ConfigureAwait(false))
            {
                read.Add(number.Value);
            }

            await foreach (Number number in link.RequestStreamAsync(new Count(10_000_000)).ConfigureAwait(false))
            {
                if (number.Value == 10)
                {
                    break;
                }
            }

            cancelled.SetResult(true);
            _ = await link.CloseAsync("done").ConfigureAwait(false);
        }
    }

    [TestCase("unix")]
    [TestCase("pipe")]
    [TestCase("inherited")]
    public async Task Streams_are_read_and_answered_within_their_credit(string wire)
    {
        const int Items = 2_000, Credit = 700;
        Task<List<int>>? reading = null;
        ClientRun run = await ClientRun.OfAsync(
            "tests/clients/streams.py", [$"{Items}", $"{Credit}"], wire, o => o.StreamWindowBytes = 1024,
            link => reading = ReadAsync(link.RequestStreamAsync(new Count(Items))),
            router => router.OnRequestStream<Count, Number>((asked, _) => CountAsync(asked.Numbers)))
            .ConfigureAwait(false);
        List<int> read = await reading!.ConfigureAwait(false);
        int least = int.Parse(run.Words.Single(w => w.StartsWith("least:", StringComparison.Ordinal)).Substring(6));
        Assert.Multiple(() =>
        {
            Assert.That(run.End.Cause, Is.EqualTo("clean"));
            Assert.That(read, Is.EqualTo(Enumerable.Range(0, Items)));
            Assert.That(run.Words, Is.SupersetOf(new[] { $"read:{Items}", "ordered:True", "waits:True", "goodbye:clean" }));
            Assert.That(least, Is.LessThan(Credit / 2).And.GreaterThan(-40), "never more than the credit and one item");
            Assert.That(run.Receipt.NoLossKnown, Is.True, run.Receipt.ToString());
        });

        static async IAsyncEnumerable<Number> CountAsync(int count)
        {
            for (int i = 0; i < count; i++)
            {
                await Task.CompletedTask.ConfigureAwait(false);
                yield return new Number(i);
            }
        }

        static async Task<List<int>> ReadAsync(IAsyncEnumerable<Number> numbers)
        {
            var read = new List<int>();
            await foreach (Number number in numbers.ConfigureAwait(false))
            {
                read.Add(number.Value);
            }

            return read;
        }
    }

    [Test]
    public async Task Packets_of_a_later_version_are_kept_counted_or_skipped_and_end_nothing()
    {
        ClientRun run = await ClientRun.OfAsync("tests/clients/unknown.py", []).ConfigureAwait(false);
        Assert.Multiple(() =>
        {
            Assert.That(run.End.Cause, Is.EqualTo("clean"));
            Assert.That(run.Unknown.Select(p => (p.Type, p.Lane, p.Body.Length)), Is.EquivalentTo(new[]
            {
                (1500, Lane.Urgent, 16), (1501, Lane.Urgent, 1), (999, Lane.Normal, 4), (65535, Lane.Bulk, 100_005), (30000, Lane.Bulk, 1),
            }));
            Assert.That(run.Events.Select(e => e.Message), Is.EqualTo(new[] { "known, with fields of a later version" }));
            Assert.That((run.Receipt.Received, run.Receipt.PeerSent), Is.EqualTo((6L, (long?)6L)));
            Assert.That(run.Words, Does.Contain("ack:6").And.Contain("goodbye:clean"));
        });
    }
}
