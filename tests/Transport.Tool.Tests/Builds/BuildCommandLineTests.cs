using System;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Terminal;
using Transport.Testing;

namespace Transport.Tool.Tests.Builds;

internal sealed class BuildCommandLineTests
{
    [TestCase("dotnet build X.slnx -c Release", "dotnet build -logger:L X.slnx -c Release")]
    [TestCase("dotnet build -tl:on", "dotnet build -logger:L -tl:on")]
    [TestCase("dotnet build --tl", "dotnet build -logger:L --tl")]
    [TestCase("dotnet msbuild -t:Pack", "dotnet msbuild -logger:L -t:Pack")]
    [TestCase("/opt/sdk/dotnet publish A", "/opt/sdk/dotnet publish -logger:L A")]
    [TestCase("msbuild X.sln /m", "msbuild -logger:L X.sln /m")]
    [TestCase("dotnet test X --logger trx -- NUnit.Seed=1", "dotnet test -logger:L -p:VsTestUseMSBuildOutput=true -p:_MSBUILDTLENABLED=1 "
        + "-p:MSBUILDENSURESTDOUTFORTASKPROCESSES=0 X --logger trx -- NUnit.Seed=1")]
    public void The_logger_goes_right_behind_the_verb(string command, string expected)
    {
        using var folder = new TemporaryFolder();

        Assert.That(With(command, folder.Path), Is.EqualTo(new[] { expected }));
    }

    [Test]
    public void Tests_of_the_Testing_Platform_are_built_with_the_logger_and_then_run_without()
    {
        using var folder = new TemporaryFolder();
        folder.File("global.json", """{ "test": { "runner": "Microsoft.Testing.Platform" } } // as the SDK reads it""");
        string below = Directory.CreateDirectory(Path.Combine(folder.Path, "a/b")).FullName;

        Assert.That(With("dotnet test --project A.csproj -c Release --filter X -p:Y=1 --no-restore -- --seed 1", below), Is.EqualTo(new[]
        {
            "dotnet build -logger:L A.csproj -c Release -p:Y=1 --no-restore",
            "dotnet test --no-build --project A.csproj -c Release --filter X -p:Y=1 --no-restore -- --seed 1",
        }));
    }

    [TestCase("cargo build", "cargo is neither dotnet nor msbuild")]
    [TestCase("dotnet", "dotnet alone builds nothing")]
    [TestCase("dotnet watch build", "dotnet watch is no build")]
    [TestCase("dotnet test bin/X.dll", "bin/X.dll is built already")]
    public void Anything_else_is_refused(string command, string why)
    {
        using var folder = new TemporaryFolder();

        ToolException refused = Assert.Throws<ToolException>(() => With(command, folder.Path))!;

        Assert.That(refused.ExitCode, Is.EqualTo(2));
        Assert.That(refused.Message, Does.Contain(why).And.Contain("expected dotnet build, msbuild"));
    }

    private static string[] With(string command, string folder) =>
        [.. BuildCommandLine.With(command.Split(' '), "L", folder).Select(step => string.Join(' ', step))];
}
