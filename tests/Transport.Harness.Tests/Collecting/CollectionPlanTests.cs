using System.Linq;
using BuildHarness.Collecting;
using BuildHarness.Packets;
using NUnit.Framework;
using Transport.MSBuild;

namespace BuildHarness.Tests.Collecting;

/// <summary>What projects' folders are called, and whose output folder is all their own.</summary>
internal sealed class CollectionPlanTests
{
    [Test]
    public void Names_report_projects_apart()
    {
        CollectionPlan plan =
            Plan(("/s/b/Lib.csproj", "net10.0", "/1"), ("/s/a/Lib.csproj", "net10.0", "/2"), ("/s/App.csproj", "net10.0", "/3"),
            ("/s/c/lib.fsproj", "net10.0", "/4"), ("/s/..csproj", "net10.0", "/5"), ("/s/.buildharness-collection.csproj", "", "/6"));

        Assert.That(plan.Projects.Select(p => plan.Name(p.Id)),
            Is.EqualTo(new[] { "Lib_2", "Lib", "App", "lib_3", "_", ".buildharness-collection_2" }));
    }

    [Test]
    public void A_framework_is_named_where_a_project_has_several()
    {
        var plan = new CollectionPlan([
            Project(0, "/s/A.csproj", "net10.0", isInner: true),
            Project(1, "/s/A.csproj", "netstandard2.0", isInner: true),
        ]);

        Assert.That(new[] { plan.Name(0), plan.Name(1) }, Is.EqualTo(new[] { "A_net10.0", "A_netstandard2.0" }));
    }

    [TestCase("/s/A/bin", "/s/B/bin", "Folder Folder")]
    [TestCase("/s/bin", "/s/bin", "Written Written")]
    [TestCase("/s/bin", "/s/bin/B", "Written Written")]
    [TestCase("/s/bin", "/s/binary", "Folder Folder")]
    [TestCase("/s/A", "/s/B/bin", "Written Folder")]
    [TestCase("/s", "/x", "Written Folder")]
    [TestCase("", "", "Folder Folder")]
    public void Only_a_folder_of_its_own_is_taken_whole(string first, string second, string wanted)
    {
        CollectionPlan plan = Plan(("/s/A/A.csproj", "", first), ("/s/B/B.csproj", "", second));

        Assert.That($"{plan.Wanted(0)} {plan.Wanted(1)}", Is.EqualTo(wanted));
        Assert.That((int)OutputsWanted.None, Is.Zero, "what an older main node, which names none, asks for");
    }

    private static CollectionPlan Plan(params (string Path, string Framework, string Output)[] projects) =>
        new([.. projects.Select((p, i) => Project(i, p.Path, p.Framework, output: p.Output))]);

    private static BuiltProject Project(int id, string path, string framework, bool isInner = false, string output = "") =>
        new(id, new ProjectEvaluated(path, framework, isInner, output, string.Empty));
}
