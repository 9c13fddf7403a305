using System.IO;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Tool.Tests;

/// <summary>A container's limits, as <c>doctor</c> reads them: under version 1 of control groups it said "unlimited".</summary>
internal sealed class GroupLimitsTests
{
    [TestCase("0::/", "memory.max", "268435456", "268435456")]
    [TestCase("0::/a/b", "a/b/memory.max", "268435456", "268435456")]
    [TestCase("0::/a/b", "a/memory.max", "268435456", "268435456")]
    [TestCase("0::/a/b", "a/b/memory.max", "max", "unlimited")]
    [TestCase("5:cpu,memory:/docker/x", "memory/docker/x/memory.limit_in_bytes", "262144000", "262144000")]
    [TestCase("5:memory:/docker/x", "memory/memory.limit_in_bytes", "262144000", "262144000")]
    [TestCase("5:memory:/", "memory/memory.limit_in_bytes", "9223372036854771712", "unlimited")]
    [TestCase("0::/a", "b/memory.max", "1", "unknown")]
    [TestCase("", "memory.max", "1", "unknown")]
    public void The_memory_of_a_container_is_read_in_both_versions(string membership, string file, string content, string expected)
    {
        using var folder = new TemporaryFolder();
        string members = folder.File("members", membership);
        folder.File("groups/" + file, content + "\n");
        Assert.That(new GroupLimits(Path.Combine(folder.Path, "groups"), members).Memory(), Is.EqualTo(expected));
    }

    [Test]
    public void The_lowest_limit_of_a_group_and_those_above_it_holds()
    {
        using var folder = new TemporaryFolder();
        string members = folder.File("members", "1:pids:/x\n0::/a/b\n");
        folder.File("groups/a/b/pids.max", "max\n");
        folder.File("groups/a/pids.max", "700\n");
        folder.File("groups/pids.max", "900\n");
        folder.File("groups/pids/x/pids.max", "800\n");
        Assert.That(new GroupLimits(Path.Combine(folder.Path, "groups"), members).Processes(), Is.EqualTo("700"));
    }
}
