using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Processes.Tests.Kit;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Packets;

/// <summary>Generated packets between processes, of one runtime and of two, and of two versions of a program.</summary>
public sealed class GeneratedPacketTests
{
    private const int Many = 500;

    [Test]
    public async Task Every_kind_of_field_comes_back_from_the_other_process([Values] bool crossed)
    {
        Kinds[] sent = [.. Enumerable.Range(0, Many).Select(MakeKinds)];
        List<Kinds> back = await EchoAsync(Kinds.PacketType, sent, crossed).ConfigureAwait(false);
        Assert.That(back.Select(Text), Is.EqualTo(sent.Select(Text)));
    }

    [Promise("Trust", "Older and newer versions of a packet read each other: unknown fields are skipped, missing ones have defaults.")]
    [Test]
    public async Task An_old_program_and_a_new_one_read_each_others_packets([Values] bool crossed)
    {
        Report[] sent = [.. Enumerable.Range(0, Many).Select(i => new Report(
            i,
            $"report {i}",
            [new ReportFile($"/{i}", i, "hash")],
            "the old one does not know this",
            0.5,
            new Dictionary<string, Guid> { ["a"] = Guid.NewGuid() },
            DateTimeOffset.MaxValue,
            [new ReportFile("/extra")],
            i))];

        // The helper skips what it does not know, and what it sends lacks that.
        List<Report> back = await EchoAsync(Report.PacketType, sent, crossed).ConfigureAwait(false);
        Assert.That(back, Has.Count.EqualTo(Many));
        foreach ((Report report, int i) in back.Select((r, i) => (r, i)))
        {
            Assert.That((report.Id, report.Name, report.Files.Single()), Is.EqualTo((i, $"report {i}", new ReportFile($"/{i}", -1, null))));
            Assert.That((report.Text, report.Load, report.Ids.Count, report.Time, report.Extra.Length, report.Retries),
                Is.EqualTo((string.Empty, (double?)null, 0, default(DateTimeOffset), 0, 3)));
        }
    }

    private static async Task<List<T>> EchoAsync<T>(PacketType<T> type, T[] packets, bool crossed)
    {
        var back = new List<T>();
        var all = new TaskCompletionSource<bool>();
        MainNode main = MainNode.Start(new MainNodeOptions
        {
            ConnectTimeout = WithinExtensions.Bound, BrokenLinkGrace = WithinExtensions.Bound,
        });
        await using (main.ConfigureAwait(false))
        {
            PacketRouter router = new PacketRouter().On(type, (packet, _) =>
            {
                back.Add(packet);
                if (back.Count == packets.Length)
                {
                    all.SetResult(true);
                }
            });
            WorkerProcess worker = main.StartWorker(TestHost.StartOn(crossed ? TestHost.Other : TestHost.Own, "worker-echo").With(router));
            Link link = await worker.WaitForLinkAsync().Within("the link").ConfigureAwait(false);
            foreach (T packet in packets)
            {
                _ = await link.SendAsync(type, packet).ConfigureAwait(false);
            }

            await Task.WhenAny(all.Task, worker.WaitForExitAsync()).Within("all packets to come back").ConfigureAwait(false);
            await link.CloseAsync().Within("the end").ConfigureAwait(false);
            WorkerExit end = await worker.WaitForExitAsync().Within("the worker's end").ConfigureAwait(false);
            Assert.That(end.Cause, Is.EqualTo("clean"), string.Join("\n", end.LastErrorLines));
            return back;
        }
    }

    private static Kinds MakeKinds(int i) => new(
        i % 2 == 0,
        (sbyte)-i,
        (short)(-i * 60),
        -i * 70_000,
        -i * 5_000_000_000L,
        (byte)i,
        (ushort)(i * 130),
        (uint)i * 8_000_000,
        ulong.MaxValue - (ulong)i,
        i / 3f,
        i / 7d,
        i / 8m,
        $"text é漢😀 {i}",
        null,
        [.. Enumerable.Range(0, i).Select(n => (byte)n)],
        new byte[] { 1, (byte)i },
        new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddTicks(i),
        new DateTimeOffset(1969, 12, 31, 23, 0, 0, TimeSpan.Zero).AddTicks(-i),
        TimeSpan.FromTicks(-i),
        new Guid(i, 2, 3, 4, 5, 6, 7, 8, 9, 10, (byte)i),
        (DayOfWeek)(i % 7),
        i % 3 == 0 ? null : i,
        [.. Enumerable.Range(0, i).Select(n => n * 1_000_000_000_000L)],
        [.. Enumerable.Range(0, i % 5).Select(n => $"t{n}")],
        [new("b", "1"), new("a", "2"), new("b", "3")],
        new Dictionary<int, Place> { [i] = new Place("p", i, -0.0) },
        i % 2 == 0 ? null : new Place("home", 1, 2, new Place("beside", 3, 4)));

    private static string Text(Kinds k) => string.Join(
        "|",
        k with { Bytes = [], Memory = default, Numbers = [], Texts = [], Pairs = [], Places = [] },
        Convert.ToBase64String(k.Bytes),
        Convert.ToBase64String(k.Memory.ToArray()),
        string.Join(",", k.Numbers),
        string.Join(",", k.Texts),
        string.Join(",", k.Pairs),
        string.Join(",", k.Places),
        k.Double.GetHashCode(),
        k.Float.GetHashCode(),
        k.Decimal,
        k.Time.Ticks,
        k.Moment.Ticks);
}
