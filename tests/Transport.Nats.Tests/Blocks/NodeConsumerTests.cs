using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Nats.Tests.Kit;
using Transport.Testing;

namespace Transport.Nats.Tests.Blocks;

/// <summary>A consumer in another language, written from docs/reference/block-format.md alone (tests/clients/blocks.mjs).</summary>
internal sealed class NodeConsumerTests
{
    private static readonly string Modules = Environment.GetEnvironmentVariable("TRANSPORT_NODE_MODULES") is { Length: > 0 } set ? set
        : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".cache", "transport-node", "node_modules");

    [Test]
    public async Task It_reads_the_packets_that_the_journal_has([Values] bool compresses, [Values("", "max_payload: 1024")] string settings)
    {
        if (!Directory.Exists(Path.Combine(Modules, "nats")))
        {
            Assert.Ignore("needs node with nats (npm install --prefix DIR nats, TRANSPORT_NODE_MODULES=DIR/node_modules)");
        }

        await using Fleet fleet = await Fleet.StartAsync(settings);
        await using JournalShipper shipper = fleet.Ship(options => options.Compresses = compresses);
        await Records.AppendAsync(fleet.Journal, 1, 2_000);
        await Records.AppendAsync(fleet.Journal, 2_001, 2, bytes: 50_000);
        await Records.UntilAsync(() => shipper.Status.Published == 2_002, () => $"{shipper.Status}");

        string[] lines = await RunAsync(
            fleet.Server.Url, "TRANSPORT", $"transport.journal.m1.{fleet.Journal.Id:N}", "2002");
        Assert.That(lines.Select(Parsed), Is.EqualTo(Records.Of(fleet.SourcePath)));
        Assert.That(lines.Select(line => JsonDocument.Parse(line).RootElement.GetProperty("position").GetInt64()),
            Is.EqualTo(Enumerable.Range(1, 2_002)));
    }

    private static (string Node, ushort Type, DateTimeOffset Time, string Body) Parsed(string line)
    {
        using var json = JsonDocument.Parse(line);
        JsonElement packet = json.RootElement;
        long ticks = long.Parse(packet.GetProperty("time").GetString()!, CultureInfo.InvariantCulture);
        return (packet.GetProperty("node").GetString()!, packet.GetProperty("type").GetUInt16(), DateTimeOffset.UnixEpoch.AddTicks(ticks),
            packet.GetProperty("body").GetString()!.ToUpperInvariant());
    }

    private static async Task<string[]> RunAsync(params string[] arguments)
    {
        var start = new ProcessStartInfo("node", [Path.Combine(Repository.Root, "tests", "clients", "blocks.mjs"), .. arguments])
        {
            UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true,
        };
        start.Environment["NODE_PATH"] = Modules;
        using var process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync(), errors = process.StandardError.ReadToEndAsync();
        try
        {
            await process.WaitForExitAsync().WaitAsync(Records.Bound);
        }
        catch (TimeoutException)
        {
            process.Kill();
            throw;
        }

        Assert.That(process.ExitCode, Is.Zero, await errors);
        return (await output).Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }
}
