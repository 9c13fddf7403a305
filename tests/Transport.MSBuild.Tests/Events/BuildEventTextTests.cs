using System;
using System.Linq;
using Microsoft.Build.Framework;
using NUnit.Framework;

namespace Transport.MSBuild.Tests.Events;

[TestFixture]
internal sealed class BuildEventTextTests
{
    [TestCase("/a/x.cs", 3, 4, 0, 0, "/a/x.cs(3,4): warning CS1: bad [/a/a.csproj]")]
    [TestCase("/a/x.cs", 3, 0, 0, 0, "/a/x.cs(3): warning CS1: bad [/a/a.csproj]")]
    [TestCase("/a/x.cs", 3, 4, 5, 6, "/a/x.cs(3,4,5,6): warning CS1: bad [/a/a.csproj]")]
    [TestCase("/a/x.cs", 3, 4, 0, 6, "/a/x.cs(3,4-6): warning CS1: bad [/a/a.csproj]")]
    [TestCase("/a/x.cs", 0, 0, 0, 0, "/a/x.cs : warning CS1: bad [/a/a.csproj]")]
    [TestCase("x.cs", 3, 4, 0, 0, "x.cs(3,4): warning CS1: bad [/a/a.csproj]")]
    [TestCase(null, 0, 0, 0, 0, "MSBUILD : warning CS1: bad [/a/a.csproj]")]
    public void A_warning_has_the_form_that_editors_know(string? file, int line, int column, int endLine, int endColumn, string expected) =>
        Assert.That(BuildEventText.Of(Warning(file, line, column, endLine, endColumn)), Is.EqualTo(expected));

    [TestCase("x.cs", "net10.0", "x.cs(3,4): warning CS1: bad [/a/a.csproj::TargetFramework=net10.0]")]
    [TestCase("x.cs", "", "x.cs(3,4): warning CS1: bad [/a/a.csproj]")]
    [TestCase("/a/a.csproj", "net10.0", "/a/a.csproj(3,4): warning CS1: bad [TargetFramework=net10.0]")]
    [TestCase("/a/a.csproj", "", "/a/a.csproj(3,4): warning CS1: bad")]
    public void A_warning_names_its_project_and_framework_as_dotnet_build_does(string file, string framework, string expected) =>
        Assert.That(BuildEventText.Of(Warning(file, 3, 4, 0, 0), framework), Is.EqualTo(expected));

    [TestCase("TaskInput", "Task parameter Fruit = apple")]
    [TestCase("TaskOutput", "Output Fruit = apple")]
    [TestCase("AddItem", "Added items Fruit = apple")]
    [TestCase("RemoveItem", "Removed items Fruit = apple")]
    [TestCase("SkippedTargetInputs", "Skipped target inputs Fruit = apple")]
    [TestCase("SkippedTargetOutputs", "Skipped target outputs Fruit = apple")]
    public void What_was_done_with_items_is_said_as_MSBuild_numbers_it(string kind, string expected)
    {
        var names = BuildEvent.FieldNames(BuildEventKind.TaskParameter).ToList();
        var fields = new object?[names.Count];
        Set("Kind", (long)Enum.Parse<TaskParameterMessageKind>(kind));
        Set("ItemType", "Fruit");
        Set("Items", new object?[] { new object?[] { null, "apple", null } });

        Assert.That(BuildEventText.Of(new BuildEvent { Kind = BuildEventKind.TaskParameter, Fields = fields }), Is.EqualTo(expected));

        void Set(string name, object value) => fields[names.IndexOf(name)] = value;
    }

    private static BuildEvent Warning(string? file, long line, long column, long endLine, long endColumn) => new()
    {
        Kind = BuildEventKind.Warning,
        Message = "bad",
        Fields = [null, "CS1", file, line, column, endLine, endColumn, "/a/a.csproj", null],
    };
}
