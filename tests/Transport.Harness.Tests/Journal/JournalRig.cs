using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Journal;

/// <summary>A folder with journals, and what a worker wrote down of its Acks.</summary>
internal sealed class JournalRig : IDisposable
{
    public const string Python = "/usr/bin/python3";

    private readonly TemporaryFolder _folder = new();

    public string Journal => Path.Combine(_folder.Path, "journal");

    public string Folder => _folder.Path;

    /// <summary>Gets the command line of a worker that sends numbered events and writes down what was acknowledged.</summary>
    public string[] Numbered(int events, long first = 0)
    {
        if (!File.Exists(Python))
        {
            Assert.Ignore("needs python3 (Debian: apt-get install python3)");
        }

        return ["--", Python, Path.Combine(Repository.Root, "tests", "assets", "numbered.py"), Acks, Text(events), Text(first)];
    }

    public static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    /// <summary>Gets the last Ack that the worker wrote down; 0 if there is none.</summary>
    public long Acknowledged => Lines().Select(
        line => long.TryParse(line, NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : 0).DefaultIfEmpty().Max();

    /// <summary>Gets what the worker says of its link's end; null before it.</summary>
    public string? End => Lines().LastOrDefault(line => line.StartsWith("end ", StringComparison.Ordinal));

    private string Acks => Path.Combine(_folder.Path, "acks");

    /// <summary>Forgets the last worker.</summary>
    public void Forget() => File.Delete(Acks);

    /// <summary>Runs <c>journal dump</c>; every line must be one object with exactly the five fields.</summary>
    public static async Task<(int ExitCode, string[] Errors, Dumped[] Packets)> DumpAsync(string journal, params string[] more)
    {
        using Harness run = await Harness.RunToolAsync([.. (string[])["journal", "dump", journal], .. more]);
        return (run.ExitCode, run.Errors, [.. run.Output.Select(Dumped.Parse)]);
    }

    /// <summary>The number in the message of each event.</summary>
    public static long[] Numbers(IEnumerable<Dumped> packets) =>
        [.. packets.Select(p => long.Parse(p.Body.GetProperty("message").GetString()!.AsSpan("event ".Length), NumberStyles.None,
            CultureInfo.InvariantCulture))];

    public void Dispose() => _folder.Dispose();

    private string[] Lines()
    {
        try
        {
            return File.ReadAllLines(Acks);
        }
        catch (IOException)
        {
            return [];
        }
    }
}

/// <summary>One line of <c>journal dump</c>.</summary>
internal sealed record Dumped(long Position, DateTimeOffset Time, string Node, int Type, JsonElement Body)
{
    private static readonly string[] Fields = ["position", "time", "node", "type", "body"];

    public static Dumped Parse(string line)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        JsonElement root = document.RootElement;
        Assert.That(root.EnumerateObject().Select(p => p.Name), Is.EqualTo(Fields), line);
        string time = root.GetProperty("time").GetString()!;
        Assert.That(time, Does.EndWith("Z"));
        return new Dumped(
            root.GetProperty("position").GetInt64(),
            DateTimeOffset.Parse(time, CultureInfo.InvariantCulture),
            root.GetProperty("node").GetString()!,
            root.GetProperty("type").GetInt32(),
            root.GetProperty("body").Clone());
    }
}
