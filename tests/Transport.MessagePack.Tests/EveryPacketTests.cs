using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;
using Transport.Journal;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.MessagePackTests;

/// <summary>Every packet that this library sends is plain MessagePack: MessagePack-CSharp, which knows nothing of it, reads each one and
/// writes it again with the same bytes.</summary>
internal sealed class EveryPacketTests
{
    private static readonly PacketType<string> Question = new(1025, "Question", TestPackets.Text.Formatter);

    private static readonly PacketType<string> Failing = new(1026, "Failing", TestPackets.Text.Formatter);

    private static readonly DateTimeOffset Noon = new(2026, 1, 2, 12, 0, 0, TimeSpan.Zero);

    private readonly Dictionary<int, int> _seen = [];

    [Promise("Trust", "Every packet on the wire is plain MessagePack.")]
    [Test]
    public async Task MessagePack_CSharp_reads_every_packet_of_a_link_and_writes_it_back_equal()
    {
        Check((byte[])[.. await UseAsync(), .. await RefuseAsync()]);
        CheckSpilled();
        CheckBuild();
        Assert.That(_seen.Keys.OrderBy(type => type), Is.EquivalentTo(Protocol()), "the types in PROTOCOL.md");
    }

    /// <summary>These were written by a third implementation.</summary>
    [Test]
    public void The_golden_files_come_back_equal()
    {
        string folder = Path.Combine(Repository.Root, "tests", "Transport.Tests", "golden");
        string[] files = Directory.GetFiles(folder, "*.bin");
        Assert.That(files, Has.Length.GreaterThanOrEqualTo(15));
        foreach (string file in files)
        {
            byte[] bytes = File.ReadAllBytes(file);
            string name = Path.GetFileName(file);
            if (name == "values.bin")
            {
                CheckValues(bytes);
            }
            else if (bytes[0] == 0x93 && bytes[2] == 0xcd && bytes[5] == 0xc6)
            {
                Check(bytes);
            }
            else
            {
                Assert.That(Rewriting.Of(bytes), Is.EqualTo(bytes), name);
            }
        }
    }

    /// <summary>A link between two nodes that does all that links do.</summary>
    private static async Task<byte[]> UseAsync()
    {
        RecordingWire? wire = null;
        byte[] Both()
        {
            (byte[] read, byte[] written) = wire!.Take();
            return [.. read, .. written];
        }

        await using (LinkRig rig = await LinkRig.OpenAsync(
            WireKinds.Memory,
            worker: options =>
            {
                options.MaxQueuedBytes = 256 << 10;
                options.Heartbeat.PingInterval = TimeSpan.FromMilliseconds(100);
            },
            fault: inner => wire = new RecordingWire(inner)))
        {
            using var held = new ManualResetEventSlim(true);
            rig.Main.Start(new PacketRouter().On<LogEvent>(_ => held.Wait()));
            rig.Worker.Start(new PacketRouter().OnRequestStream(
                Question, Question, (asked, context) => Count(asked, context, context.CancellationToken)).OnRequest<string, string>(
                Failing, Question, async (question, context) =>
                {
                    await Task.Delay(question == "wait" ? -1 : 0, context.CancellationToken);
                    throw new IOException("no such file");
                }));
            foreach (LogEvent one in Events())
            {
                _ = rig.Worker.TrySend(LogEvent.PacketType, one);
                _ = rig.Worker.TrySend(LogEvent.PacketType, one);
            }

            _ = rig.Worker.TrySend(OutputPacket.PacketType, new OutputPacket
            {
                Time = Noon, Stream = OutputStream.Error, Text = "a line", IsPartial = true, Context = [1, -70_000],
            });
            _ = rig.Worker.TrySend(ProgressPacket.PacketType, new ProgressPacket
            {
                Time = Noon, Id = 1, Done = 1L << 40, Total = 1L << 41, Text = "unpacking",
            });
            _ = rig.Worker.TrySend(Words.Application, Words.OfMap(("name", "again"), ("path", "and again")));
            _ = rig.Worker.TrySend(Words.Application, Words.OfMap(("name", "again"), ("path", "and again")));
            Assert.That(rig.Main.SetLevels(new LevelRules(PacketLevel.Warning, [new("Compiler", PacketLevel.Trace)])), Is.True);
            await AskAsync(rig.Main);
            held.Reset();   // so that there is an Ack to ask for
            _ = rig.Worker.TrySend(LogEvent.PacketType, Events().First());
            Task<bool> acknowledged = rig.Worker.WaitForAcknowledgedAsync();
            held.Set();
            Assert.That(await acknowledged.Within("the Ack"), Is.True);
            await LoseAsync(rig.Worker, held);
            Assert.That(() => Rewriting.Packets(Both()).Select(packet => packet.Type), Does.Contain(7).After(30_000, 20), "a Pong");
            Assert.That(await rig.Main.TryRequestStopAsync("done", TimeSpan.FromSeconds(30), CancellationToken.None), Is.True);
        }

        return Both();
    }

    private static async Task AskAsync(Link link)
    {
        int items = 0;
        await foreach (string item in link.RequestStreamAsync(Question, Question, "1000"))
        {
            items++;
        }

        Assert.That(items, Is.EqualTo(1000));
        Task<string> failed = link.RequestAsync(Failing, Question, "fail");
        Assert.That(async () => await failed.Within("a failure"), Throws.InstanceOf<TransportException>());
        using var cancel = new CancellationTokenSource();
        Task<string> cancelled = link.RequestAsync(Failing, Question, "wait", cancellationToken: cancel.Token);
        cancel.Cancel();
        Assert.That(async () => await cancelled.Within("a cancel"), Throws.InstanceOf<OperationCanceledException>());
    }

    /// <summary>Drops packets while the other side takes none, and sends one behind them, with which the count travels.</summary>
    private static async Task LoseAsync(Link link, ManualResetEventSlim held)
    {
        LogEvent large = Events().Last();
        held.Reset();
        var watch = Stopwatch.StartNew();
        while (link.TrySend(LogEvent.PacketType, large, policy: LanePolicy.Drop) == SendResult.Queued)
        {
            Assert.That(watch.Elapsed, Is.LessThan(WithinExtensions.Bound), "a queue that fills");
        }

        held.Set();
        SendResult sent = await link.SendAsync(LogEvent.PacketType, large).AsTask().Within("capacity");
        Assert.That(sent, Is.EqualTo(SendResult.Queued));
    }

    /// <summary>A stranger's connection.</summary>
    private static async Task<byte[]> RefuseAsync()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(WireKinds.Memory);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter());
        var wire = new RecordingWire(await rig.AnotherAsync());
        Assert.That(
            async () => await LinkConnector.ConnectAsync(wire, LinkSecret.Create(), new LinkOptions { Node = "w2" }),
            Throws.InstanceOf<TransportException>());
        return wire.Take().Read;
    }

    private static async IAsyncEnumerable<string> Count(
        string question, PacketContext context, [EnumeratorCancellation] CancellationToken token)
    {
        for (int i = 0; i < int.Parse(question, System.Globalization.CultureInfo.InvariantCulture); i++)
        {
            yield return new string('x', 1000);
            await Task.Yield();
        }
    }

    private static IEnumerable<LogEvent> Events()
    {
        foreach (string text in (string[])["plain", "Grüße 🧪", new string('m', 40), new string('m', 300), new string('m', 70_000)])
        {
            yield return new LogEvent
            {
                Time = Noon.AddTicks(text.Length),
                Level = LogLevel.Warning,
                Category = "Compiler",
                Message = text,
                EventId = 1 << (text.Length % 31),
                EventName = "Compiled",
                Context = [0, -1, -33, -129, 127, 128, 256, 65_536],
                Exception = "System.IO.IOException: disk full",
                Properties =
                [
                    new("File", new LogValue("a.cs")), new("Ms", new LogValue(long.MinValue)), new("Share", new LogValue(0.25)),
                    new("Fresh", new LogValue(true)), new("None", default),
                ],
                Scopes = [new("outer", []), new(null, [new("Id", new LogValue(7L))])],
                TraceId = ActivityTraceId.CreateFromString("0123456789abcdef0123456789abcdef".AsSpan()),
                SpanId = ActivitySpanId.CreateFromString("0123456789abcdef".AsSpan()),
            };
        }
    }

    private static int[] Protocol()
    {
        string page = File.ReadAllText(Path.Combine(Repository.Root, "PROTOCOL.md"));
        var rows = Regex.Matches(page, @"^\| (?<type>\d+)(?: / (?<next>\d+))? \| [A-Z]", RegexOptions.Multiline, TimeSpan.FromSeconds(10));
        int[] named = [.. rows.Cast<Match>().SelectMany(row => new[] { row.Groups["type"].Value, row.Groups["next"].Value })
            .Where(text => text.Length > 0).Select(text => int.Parse(text, System.Globalization.CultureInfo.InvariantCulture))];
        Assert.That(named, Has.Length.GreaterThanOrEqualTo(22), "rows of PROTOCOL.md");
#if NET
        int[] own = [512];
#else
        int[] own = [];
#endif
        return [.. named, .. own, Words.Application.Id];
    }

    private static void CheckValues(byte[] values)
    {
        for (int at = 0; at < values.Length;)
        {
            var reader = new PacketReader(values.AsSpan(at));
            byte[] one = reader.ReadRaw().ToArray();
            Assert.That(Rewriting.Of(one), Is.EqualTo(one), $"the value at byte {at}");
            at += one.Length;
        }
    }

    private void Check(byte[] stream)
    {
        foreach ((int type, byte[] body) in Rewriting.Packets(stream))
        {
            Check(type, body);
        }
    }

    private void Check(int type, byte[] body)
    {
        byte[] again = Rewriting.Of(body);
        if (!again.AsSpan().SequenceEqual(body))
        {
            Assert.That(again, Is.EqualTo(body), $"type {type}");   // shows the place; it takes long for 60 MB that are equal
        }

        _seen[type] = _seen.TryGetValue(type, out int count) ? count + 1 : 1;
    }

    private void Check<T>(PacketType<T> type, T packet)
    {
        var output = new ArrayWriter();
        type.Formatter.Write(output, packet);
        Check(type.Id, output.Written.ToArray());
    }

    private void CheckSpilled()
    {
        // Its head is put in front of a body that is there already, with a length of four bytes: the shortest from 64 KiB on.
        const int Body = 70_000;
        byte[] bytes = new byte[SpillPacket.MostHead + Body];
        int start = SpillPacket.PutHead(
            bytes, SpillPacket.MostHead, Body, new ArrayWriter(), Guid.NewGuid(), new SpillNumber(70_000, 0, 1), 1024);
        Check(SpillPacket.Type, bytes.AsSpan(start).ToArray());
    }

    private void CheckBuild()
    {
#if NET
        // Before a method is compiled that names a type of the SDK's MSBuild.
        Microsoft.Build.Locator.MSBuildLocator.RegisterDefaults();
        CheckEvents();
#endif
    }

#if NET
    private void CheckEvents()
    {
        MSBuild.BinaryLog.Read(Repository.Workload("noop20.binlog"), one => Check(MSBuild.BuildEvent.PacketType, one));
    }
#endif
}
