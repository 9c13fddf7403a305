using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Text.Json;
using BuildHarness.Summary;
using NUnit.Framework;
using Transport;

namespace BuildHarness.Tests.Summary;

/// <summary>What the file of <c>--summary</c> says of a worker.</summary>
internal sealed class SummaryFileTests
{
    [Test]
    public void What_a_worker_dropped_stands_there_by_level() =>
        Assert.That(Dropped(new Dictionary<PacketLevel, long> { [PacketLevel.Trace] = 7, [PacketLevel.Information] = 3,
            [PacketLevel.None] = 1 }), Is.EqualTo("""{"droppedByLevel":{"Trace":7,"Information":3,"None":1}}"""));

    [Test]
    public void Nothing_dropped_is_nothing_to_say() => Assert.That(Dropped([]), Is.EqualTo("{}"));

    [Test]
    public void What_came_of_an_exited_workers_tail_stands_there()
    {
        Assert.That(Written(json => ExitReportJson.Tail(json, 12, 3, null)),
            Is.EqualTo("""{"tail":{"packets":12,"lost":3,"problem":null}}"""));
        Assert.That(Written(json => ExitReportJson.Tail(json, 0, 7, "torn")),
            Is.EqualTo("""{"tail":{"packets":0,"lost":7,"problem":"torn"}}"""));
        Assert.That(Written(json => ExitReportJson.Tail(json, 0, null, "cut")),
            Is.EqualTo("""{"tail":{"packets":0,"lost":null,"problem":"cut"}}"""));
        Assert.That(Written(json => ExitReportJson.Tail(json, null, null, null)), Is.EqualTo("""{"tail":null}"""));
    }

    private static string Dropped(Dictionary<PacketLevel, long> byLevel) => Written(json => SummaryFile.WriteDropped(json, byLevel));

    private static string Written(Action<Utf8JsonWriter> write)
    {
        using var file = new MemoryStream();
        using (var json = new Utf8JsonWriter(file))
        {
            json.WriteStartObject();
            write(json);
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(file.ToArray());
    }
}
