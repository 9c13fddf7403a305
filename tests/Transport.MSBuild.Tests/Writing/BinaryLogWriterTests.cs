using System.IO;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.MSBuild.Tests.Writing;

internal sealed class BinaryLogWriterTests
{
    [TestCase("noop20", 53_550)]
    [TestCase("full20", 55_250)]
    public void A_recorded_build_that_is_written_again_has_the_same_events_and_fields(string name, int count)
    {
        string recorded = Repository.Workload(name + ".binlog");
        using var folder = new TemporaryFolder();
        string written = Path.Combine(folder.Path, "written.binlog");
        using var before = new EventDigest();
        using (var writer = new BinaryLogWriter(written))
        {
            BinaryLog.Read(recorded, one =>
            {
                before.Add(one);
                writer.Write(one);
            });
        }

        using var after = new EventDigest();
        BinaryLog.Read(written, after.Add);

        Assert.That(after.Events, Is.EqualTo(count));
        Assert.That(before.Events, Is.EqualTo(count));
        Assert.That(after.Finish(), Is.EqualTo(before.Finish()));
    }
}
