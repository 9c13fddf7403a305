using System;
using System.IO;
using System.Linq;
using BuildHarness.Events;
using NUnit.Framework;

namespace BuildHarness.Tests.Events;

[TestFixture]
internal sealed class PacketsPageTests
{
    [Test]
    public void The_page_lists_every_kind_with_its_fields_in_their_order()
    {
        string page = File.ReadAllText(Path.Combine(Repository.Root, "samples", "BuildHarness", "PACKETS.md"));
        string[] common = [.. EventShapes.Of(EventKind.Message).Fields], diagnostic = [.. EventShapes.Of(EventKind.Warning).Fields];
        foreach (EventShape shape in EventShapes.Every)
        {
            string fields = string.Join(", ", shape.Fields)
                .Replace(string.Join(", ", common), "Message…", StringComparison.Ordinal)
                .Replace(string.Join(", ", diagnostic), "Diagnostic…", StringComparison.Ordinal)
                .Replace("ExtendedType, ExtendedMetadata, ExtendedData", "Extended…", StringComparison.Ordinal)
                .Replace("…, ", "… ", StringComparison.Ordinal);
            string row = $"| {(int)shape.Kind} | {shape.Kind} | {fields} |".Replace("|  |", "| |", StringComparison.Ordinal);
            Assert.That(page, Does.Contain("\n" + row + "\n"));
        }

        Assert.That(EventShapes.Every.Count(), Is.EqualTo(Enum.GetValues<EventKind>().Length));
    }
}
