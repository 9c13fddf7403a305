using System.IO;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Tool.Tests;

internal sealed class PublicApiTests
{
    [Test]
    public void The_public_api_is_as_written_down() => PublicSurface.Check(
        Path.Combine(Repository.Root, "tests", "Transport.Tool.Tests", "golden", "PublicApi.txt"), [typeof(JournalCommands).Assembly]);
}
