using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal;
using Transport.Nats.Tests.Kit;
using Transport.Testing;

namespace Transport.Nats.Tests.Shipping;

/// <summary>Server, shipper and receiver as processes that are killed at random, while a journal is written.</summary>
internal sealed class KillTests
{
    [Test]
    public async Task Nothing_is_lost_or_doubled_whoever_is_killed()
    {
        int seed = Environment.TickCount, kills = Nightly.Rounds(nightly: 100, otherwise: 10);
        TestContext.Out.WriteLine($"seed {seed}, {kills} kills");
        var random = new Random(seed);
        await using Fleet fleet = await Fleet.StartAsync();
        using var shipper = ProgramProcess.Tool(
            "ship", fleet.SourcePath, "--nats", fleet.Server.Url, "--create", "--machine", "m1", "--give-up", "0");
        using var receiver = ProgramProcess.Tool("receive", fleet.Folder, "--nats", fleet.Server.Url, "--create", "--give-up", "0");
        int number = 1;
        for (int kill = 0; kill < kills; kill++)
        {
            shipper.Start();
            receiver.Start();
            int count = random.Next(1, 10_000);
            await Records.AppendAsync(fleet.Journal, number, count, bytes: 8 + random.Next(300));
            number += count;
            await Task.Delay(random.Next(600));   // a kill at any moment of what the three do
            switch (random.Next(4))
            {
                case 0:
                    shipper.Kill();
                    break;
                case 1:
                    receiver.Kill();
                    break;
                case 2:
                    await fleet.Server.KillAsync();
                    await fleet.Server.StartAgainAsync();
                    break;
                default:
                    shipper.Kill();
                    receiver.Kill();
                    await fleet.Server.KillAsync();
                    await fleet.Server.StartAgainAsync();
                    break;
            }
        }

        shipper.Start();
        receiver.Start();
        long all = fleet.Journal.Appended;
        await fleet.Journal.CloseAsync();
        await Wait.UntilAsync(() => shipper.HasEnded, () => $"{shipper.Lines}\n{receiver.Lines}", seconds: 120);
        receiver.Kill();
        TestContext.Out.WriteLine($"{shipper.Lines}\n{receiver.Lines}");
        string directory = Directory.GetDirectories(fleet.Folder, "m1-*").Single();
        Assert.That(Records.Of(directory), Has.Count.EqualTo(all));
        Assert.That(Records.Of(directory), Is.EqualTo(Records.Of(fleet.SourcePath)));
        Assert.That(
            File.ReadLines(Path.Combine(directory, "origin")).Where(line => line.StartsWith("gap", StringComparison.Ordinal)), Is.Empty);
    }
}
