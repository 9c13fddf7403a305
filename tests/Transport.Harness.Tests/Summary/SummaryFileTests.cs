using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Text.Json;
using BuildHarness.Summary;
using NUnit.Framework;

namespace BuildHarness.Tests.Summary;

/// <summary>What the file of <c>--summary</c> says of a worker.</summary>
internal sealed class SummaryFileTests
{
    [Test]
    public void WhatAWorkerDroppedStandsThereByLevel() =>
        Assert.That(Dropped(new Dictionary<int, long> { [0] = 7, [2] = 3, [6] = 1 }), Is.EqualTo("""{"droppedByLevel":{"Trace":7,"Information":3,"None":1}}"""));

    [Test]
    public void NothingDroppedIsNothingToSay() => Assert.That(Dropped([]), Is.EqualTo("{}"));

    private static string Dropped(Dictionary<int, long> byLevel)
    {
        using var file = new MemoryStream();
        using (var json = new Utf8JsonWriter(file))
        {
            json.WriteStartObject();
            SummaryFile.WriteDropped(json, byLevel);
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(file.ToArray());
    }
}
