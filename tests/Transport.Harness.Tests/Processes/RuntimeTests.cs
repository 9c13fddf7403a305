using System.IO;
using NUnit.Framework;

namespace BuildHarness.Tests.Processes;

[TestFixture]
internal sealed class RuntimeTests
{
    [Test]
    public void Tasks_see_the_cultures_and_texts_that_they_see_under_the_sdks_own_msbuild()
    {
        string settings = File.ReadAllText(Path.Combine(TestContext.CurrentContext.TestDirectory, "buildharness.runtimeconfig.json"));

        // Invariant globalization made the SDK warn of every package with translations (NETSDK1188).
        Assert.That(settings, Does.Not.Contain("System.Globalization").And.Not.Contain("UseSystemResourceKeys"));
    }
}
