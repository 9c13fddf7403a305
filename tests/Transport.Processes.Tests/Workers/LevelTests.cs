using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Logging;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Workers;

/// <summary>The level that the main node wants reaches the worker before it builds a packet: in the handshake, and while the link is
/// open.</summary>
public sealed class LevelTests
{
    private const int Each = 500, Change = 1_000_000, Heard = 1_000_000_000;   // as in the helper program

    [Promise("Handling", "Log events below the level that the main node wants are neither formatted nor sent.")]
    [Test]
    public async Task What_nobody_wants_is_neither_formatted_nor_sent([Values("unix", "pipe")] string wire)
    {
        await using var rig = new MainRig(wire, o => o.Link.MinimumLevel = PacketLevel.Warning);
        var events = new List<int>();
        var answers = new System.Collections.Concurrent.BlockingCollection<int>();
        WorkerProcess worker = rig.Main.StartWorker(
            TestHost.Start("worker-levels").With(new PacketRouter()
                .On<LogEvent>(e => events.Add((int)e.Level))
                .OnRaw(1024, packet => answers.Add(Number(packet))),
            rig.Lines.Take));
        Link link = await worker.WaitForLinkAsync().Within("the link");

        (int formatted, List<int> levels, long bytes) welcome = Round(link, answers, events);
        SetLevel(link, PacketLevel.Trace, answers);
        (int formatted, List<int> levels, long bytes) all = Round(link, answers, events);
        SetLevel(link, PacketLevel.None, answers);
        (int formatted, List<int> levels, long bytes) none = Round(link, answers, events);
        await worker.StopAsync("done").Within("the end");
        TestContext.Out.WriteLine($"a round of {6 * Each} messages: {all.bytes:N0} B where all are wanted, {welcome.bytes:N0} B from "
            + $"Warning up, {none.bytes:N0} B where none is");
        using (Assert.EnterMultipleScope())
        {
            Assert.That(welcome.formatted, Is.EqualTo(3 * Each), "the level of Welcome: calls of the formatter");
            Assert.That(welcome.levels.Distinct().OrderBy(l => l), Is.EqualTo(new[] { 3, 4, 5 }));
            Assert.That(welcome.levels, Has.Count.EqualTo(3 * Each));
            Assert.That(all.formatted, Is.EqualTo((6 * Each) + Change), "a level set live, reported to LevelsChanged once");
            Assert.That(all.levels, Has.Count.EqualTo(6 * Each));
            Assert.That(none.formatted, Is.EqualTo(2 * Change), "None: not one call");
            Assert.That(none.levels, Is.Empty);
            Assert.That(none.bytes, Is.LessThan(200), "the answer, and what acknowledges");
            Assert.That(welcome.bytes, Is.InRange(all.bytes / 3, all.bytes * 2 / 3), "half of the messages, half of the bytes");
        }
    }

    /// <summary>Sets the level, and waits until the worker has heard of it: what is sent after it in another lane may come before
    /// it.</summary>
    private static void SetLevel(Link link, PacketLevel level, System.Collections.Concurrent.BlockingCollection<int> answers)
    {
        Assert.That(link.SetLevels(new LevelRules(level)), Is.True);
        Assert.That(answers.TryTake(out int heard, WithinExtensions.Bound), Is.True, "the worker hears of the level");
        Assert.That(heard, Is.EqualTo(Heard + (int)level));
    }

    /// <summary>Has the worker log at every level, and waits until all of it is here.</summary>
    private static (int Formatted, List<int> Levels, long Bytes) Round(
        Link link, System.Collections.Concurrent.BlockingCollection<int> answers, List<int> events)
    {
        events.Clear();
        long before = link.Counters.BytesReceived;
        Assert.That(link.TrySendRaw(1024, [0xce, 0, 0, 0, 1]), Is.EqualTo(Transport.SendResult.Queued));

        // In the same lane, so after the events.
        Assert.That(answers.TryTake(out int formatted, WithinExtensions.Bound), Is.True, "the answer");
        return (formatted, [.. events], link.Counters.BytesReceived - before);
    }

    private static int Number(RawPacket packet)
    {
        System.ReadOnlySpan<byte> body = packet.Body;
        return (body[1] << 24) | (body[2] << 16) | (body[3] << 8) | body[4];
    }
}
