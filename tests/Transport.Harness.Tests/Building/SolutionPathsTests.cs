using System.IO;
using BuildHarness.Building;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Building;

/// <summary>Which file is built if a folder is named: as <c>dotnet build</c> chooses.</summary>
[TestFixture]
internal sealed class SolutionPathsTests
{
    [TestCase("A.sln", "A.sln")]
    [TestCase("A.slnx", "A.slnx")]
    [TestCase("A.csproj", "A.csproj")]
    [TestCase("A.slnx A.csproj", "A.slnx")]
    [TestCase("A.slnx Part.slnf", "A.slnx")]
    public void The_one_solution_or_project_of_a_folder_is_built(string files, string chosen)
    {
        using var folder = new TemporaryFolder();
        Make(folder, files);

        Assert.That(SolutionPaths.Find(folder.Path), Is.EqualTo(Path.Combine(folder.Path, chosen)));
    }

    [TestCase("A.slnx B.sln", "has 2 solutions and projects: A.slnx, B.sln; name one.")]
    [TestCase("A.slnx B.csproj", "A.slnx, B.csproj; name one.")]
    [TestCase("A.csproj B.fsproj", "A.csproj, B.fsproj; name one.")]
    [TestCase("readme.txt", "has no solution or project; name a file.")]
    public void A_folder_with_none_or_several_is_a_mistake_that_lists_them(string files, string said)
    {
        using var folder = new TemporaryFolder();
        Make(folder, files);

        HarnessException? fault = Assert.Throws<HarnessException>(() => SolutionPaths.Find(folder.Path));
        Assert.That(fault!.Message, Does.Contain(said));
        Assert.That(fault.ExitCode, Is.EqualTo(ExitCodes.BadUsage));
    }

    private static void Make(TemporaryFolder folder, string files)
    {
        foreach (string file in files.Split(' '))
        {
            folder.File(file, string.Empty);
        }
    }
}
