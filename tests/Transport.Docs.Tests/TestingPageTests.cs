using System.IO;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Docs.Tests;

/// <summary>docs/guide/testing.md shows tests that are run here.</summary>
internal sealed class TestingPageTests
{
    [TestCase("TestingExample.cs")]
    [TestCase("FakeSenderExample.cs")]
    public void It_shows_the_tests(string file) => Assert.That(
        new Page("docs/guide/testing.md").Text,
        Does.Contain(Page.Listing(Path.Combine(Repository.Root, "tests", "Transport.Docs.Tests", file))));
}
