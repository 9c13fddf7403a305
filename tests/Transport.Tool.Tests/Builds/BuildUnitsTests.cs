using System.Linq;
using NUnit.Framework;
using Transport.MSBuild;

namespace Transport.Tool.Tests.Builds;

/// <summary>Which build of a journal an event belongs to, and what is known of its end.</summary>
internal sealed class BuildUnitsTests
{
    /// <summary>Nodes in their order; * is the beginning of a process's build.</summary>
    [TestCase("build* build", "1 1", Description = "one build")]
    [TestCase("build* build build.n1 build.n2 build", "1 1 1 1 1", Description = "nodes with links of their own")]
    [TestCase("build* build build.s2* build.s2 build.s2.n1", "1 1 1 1 1", Description = "two MSBuild processes of one command")]
    [TestCase("build* build build* build", "1 1 2 2", Description = "a journal used twice")]
    [TestCase("build* build.s2* build* build.s2*", "1 1 2 2", Description = "used twice, two processes each")]
    [TestCase("build* build2* build build2 build3*", "1 2 1 2 3", Description = "a collector without a command")]
    [TestCase("n1* n2* n1 n2", "1 1 1 1", Description = "workers of a harness")]
    [TestCase("n1* n2* n1 n2* n1*", "1 1 1 2 2", Description = "a harness's journal used twice")]
    public void Builds_of_one_journal_are_told_apart(string nodes, string builds)
    {
        var units = new BuildUnits();
        Assert.That(string.Join(' ', nodes.Split(' ').Select(node => units.Take(node.TrimEnd('*'), node.EndsWith('*')))),
            Is.EqualTo(builds));
    }

    [TestCase("build", "build")]
    [TestCase("build.n2", "build")]
    [TestCase("build.s2", "build.s2")]
    [TestCase("build.s2.n3", "build.s2")]
    [TestCase("n1", "n1")]
    public void The_process_of_a_node_is_what_its_ids_are_unique_in(string node, string process) =>
        Assert.That(BuildUnits.ProcessOf(node), Is.EqualTo(process));

    [Promise("Reports", "`transport watch` reports success only when every MSBuild process of the build has ended well.")]
    [TestCase("", null)]
    [TestCase("a+", null, Description = "it runs")]
    [TestCase("a+ a1", true)]
    [TestCase("a+ a0", false)]
    [TestCase("a+ b+ a1", null, Description = "one of two has ended")]
    [TestCase("a+ b+ a1 b1", true)]
    [TestCase("a+ b+ a0", false, Description = "one has failed, whatever the other does")]
    [TestCase("a+ a1 b+", null, Description = "the next step has begun")]
    public void A_build_has_succeeded_once_every_process_that_began_has_ended_well(string events, bool? expected)
    {
        var verdict = new BuildVerdict();
        foreach (string one in events.Split(' ').Where(one => one.Length > 0))
        {
            verdict.Take(one[..1], one[1] == '+' ? Samples.Event(BuildEventKind.BuildStarted, 0)
                : Samples.Event(BuildEventKind.BuildFinished, 0, values: ("Succeeded", one[1] == '1')));
        }

        Assert.That(verdict.Succeeded, Is.EqualTo(expected));
    }
}
