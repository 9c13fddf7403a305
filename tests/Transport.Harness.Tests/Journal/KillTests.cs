using System;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport;
using Transport.Testing;

namespace BuildHarness.Tests.Journal;

/// <summary>A harness that is killed has everything in its journal that it acknowledged. TRANSPORT_KILLS says how often;
/// eng/journal-kills.sh does it 20 times.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class KillTests
{
    /// <summary>An event takes about 270 bytes in the journal: three segments of 1 MiB and a half.</summary>
    private const int ThreeSegments = 14_000;

    private const long EachRun = 1_000_000_000;

    private static int Kills =>
        int.TryParse(Environment.GetEnvironmentVariable("TRANSPORT_KILLS"), CultureInfo.InvariantCulture, out int kills) ? kills : 2;

    [Promise("Journal", "Every packet that the harness acknowledged is in its journal, in order and once, whenever it is killed.")]
    [Test]
    public async Task Every_acknowledged_packet_is_there_in_order_and_once()
    {
        using var rig = new JournalRig();
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        long last = 0;
        long all = 0;
        for (int run = 0; run < Kills; run++)
        {
            rig.Forget();
            long most = ThreeSegments + random.Next(30_000);
            using (Harness harness = Harness.Start(["run", "--journal", rig.Journal, "--journal-sync", "group", "--journal-segment",
                "1048576", .. rig.Numbered(0, run * EachRun)]))
            {
                await Wait.UntilAsync(() => rig.Acknowledged >= most, $"{most} packets are acknowledged");
                Harness.Kill(harness.ProcessId, "KILL");
                await harness.EndAsync();
                await Wait.UntilAsync(() => rig.End is not null, "the worker has seen its link end: nothing else ends it");
            }

            (int exitCode, string[] errors, Dumped[] packets) =
                await JournalRig.DumpAsync(rig.Journal, "--from", JournalRig.Text(last + 1));
            long[] numbers = JournalRig.Numbers(packets);
            TestContext.Out.WriteLine(
                $"run {run}: {rig.Acknowledged} acknowledged, {numbers.Length} kept; {rig.End}; {string.Concat(errors)}");
            Assert.That((exitCode, errors.Length), Is.EqualTo((1, 1)), "not closed, and one line says so");
            Assert.That(numbers, Has.Length.GreaterThanOrEqualTo(rig.Acknowledged));
            Assert.That(numbers, Is.EqualTo(Enumerable.Range(0, numbers.Length).Select(i => (run * EachRun) + i)),
                "in order, none missing, none twice");
            Assert.That(packets.Select(p => p.Position), Is.Ordered.Ascending.And.Unique);
            last = packets[^1].Position;
            all += packets.Length;
        }

        using Harness verify = await Harness.RunToolAsync("journal", "verify", rig.Journal);
        Assert.That((verify.ExitCode, verify.Errors.Length), Is.EqualTo((1, 1)));
        using Harness closing = await Harness.RunAsync(["run", "--journal", rig.Journal, .. rig.Numbered(10, 7)]);
        Assert.That(closing.ExitCode, Is.Zero);
        (int valid, _, Dumped[] whole) = await JournalRig.DumpAsync(rig.Journal);
        Assert.That((valid, (long)whole.Length), Is.EqualTo((0, all + 10)),
            "the next opening repairs what was cut, and takes nothing away");
        Assert.That(whole.Select(p => p.Position), Is.Ordered.Ascending.And.Unique);
        Assert.That(JournalRig.Numbers(whole.Skip((int)all)), Is.EqualTo(Enumerable.Range(7, 10)));
    }
}
