using NUnit.Framework;

namespace Transport.Tool.Tests;

internal sealed class PublicApiTests
{
    [Test]
    public void A_tool_offers_no_types() => Assert.That(typeof(JournalCommands).Assembly.GetExportedTypes(), Is.Empty);
}
