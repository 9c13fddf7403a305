using System.Collections.Generic;
using System.IO;
using System.Text.Json;
using BuildHarness.Summary;
using NUnit.Framework;

namespace BuildHarness.Tests.Summary;

/// <summary>What the file of <c>--summary</c> says.</summary>
internal sealed class SummaryFileTests
{
    [Test]
    public void WhatAWorkerDroppedStandsThereByLevel()
    {
        using var file = new MemoryStream();
        SummaryFile.Write(file, new RunSummary
        {
            Succeeded = true,
            WallMs = 1,
            Nodes = [new NodeSummary { Id = "n1", End = "clean", Dropped = 10, DroppedByLevel = new Dictionary<int, long> { [0] = 7, [2] = 3 } }, new NodeSummary { Id = "n2", End = "clean" }],
        });
        JsonElement nodes = JsonDocument.Parse(file.ToArray()).RootElement.GetProperty("nodes");
        Assert.That(nodes[0].GetProperty("dropped").GetInt64(), Is.EqualTo(10));
        Assert.That(nodes[0].GetProperty("droppedByLevel").GetRawText().Replace(" ", string.Empty).Replace("\n", string.Empty), Is.EqualTo("{\"Trace\":7,\"Information\":3}"));
        Assert.That(nodes[1].TryGetProperty("droppedByLevel", out _), Is.False, "nothing to say");
    }
}
