using System.IO;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.MSBuild.Tests;

internal sealed class PublicApiTests
{
    [Test]
    public void The_public_api_is_as_written_down() => PublicSurface.Check(
        Path.Combine(Repository.Root, "tests", "Transport.MSBuild.Tests", "golden", "PublicApi.txt"), [typeof(BuildEvent).Assembly]);
}
