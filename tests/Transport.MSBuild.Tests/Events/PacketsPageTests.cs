using System;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.MSBuild.Tests.Events;

[TestFixture]
internal sealed class PacketsPageTests
{
    [Test]
    public void The_page_lists_every_kind_with_its_fields_in_their_order()
    {
        string page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "reference", "build-events.md"));
        string[] common = [.. EventFields.Of(BuildEventKind.Message).Names], diagnostic = [.. EventFields.Of(BuildEventKind.Warning).Names];
        foreach (EventFields shape in EventFields.Every)
        {
            string fields = string.Join(", ", shape.Names)
                .Replace(string.Join(", ", common), "Message…", StringComparison.Ordinal)
                .Replace(string.Join(", ", diagnostic), "Diagnostic…", StringComparison.Ordinal)
                .Replace("ExtendedType, ExtendedMetadata, ExtendedData", "Extended…", StringComparison.Ordinal)
                .Replace("…, ", "… ", StringComparison.Ordinal);
            string row = $"| {(int)shape.Kind} | {shape.Kind} | {fields} |".Replace("|  |", "| |", StringComparison.Ordinal);
            Assert.That(page, Does.Contain("\n" + row + "\n"));
        }

        Assert.That(EventFields.Every.Count(), Is.EqualTo(Enum.GetValues<BuildEventKind>().Length));
    }
}
