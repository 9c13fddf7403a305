using System.IO;
using System.Linq;
using NUnit.Framework;

namespace Transport.Tests.Architecture;

/// <summary>Every page is linked from another.</summary>
internal sealed class PagesTests
{
    private static readonly string[] Pages =
    [
        .. Directory.GetFiles(Sources.Root, "*.md"),
        .. Directory.GetFiles(Path.Combine(Sources.Root, "docs"), "*.md", SearchOption.AllDirectories),
    ];

    [Test]
    public void Every_page_is_linked_from_another()
    {
        string[] unlinked = [.. Pages.Where(page => Path.GetDirectoryName(page) != Sources.Root).Where(page => !Pages.Any(other =>
            other != page && File.ReadAllText(other).Contains(Path.GetFileName(page))))];
        Assert.That(unlinked, Is.Empty);
    }
}
