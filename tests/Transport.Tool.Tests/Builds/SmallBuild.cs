using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Transport.Testing;

namespace Transport.Tool.Tests.Builds;

/// <summary>Two projects without an SDK, which build in a second: properties, items, tasks, a warning, a project that builds the
/// other.</summary>
internal sealed class SmallBuild : IDisposable
{
    private static readonly Dictionary<string, string> Nothing = [];

    private readonly TemporaryFolder _folder = new();

    public SmallBuild()
    {
        _folder.File("one.proj", """
            <Project DefaultTargets="Build">
              <PropertyGroup><Colour>red</Colour></PropertyGroup>
              <ItemGroup><Fruit Include="apple;pear"><Taste>sweet</Taste></Fruit></ItemGroup>
              <Target Name="Build" DependsOnTargets="Before">
                <Message Importance="high" Text="building $(Colour) @(Fruit)" />
                <MSBuild Projects="two.proj" Properties="Size=large" />
                <Warning Code="W1" Text="too red" />
              </Target>
              <Target Name="Before" Returns="@(Fruit)">
                <PropertyGroup><Colour>green</Colour></PropertyGroup>
              </Target>
              <Target Name="Fail"><Error Code="E1" Text="it is broken" /></Target>
            </Project>
            """);
        _folder.File("two.proj", """
            <Project DefaultTargets="Build">
              <Target Name="Build"><Exec Command="$(Command)" Condition="'$(Command)' != ''" /><Message Text="size $(Size)" /></Target>
              <Target Name="Wait"><Exec Command="sh wait.sh" /></Target>
            </Project>
            """);
    }

    public string Folder => _folder.Path;

    public string Journal => Path.Combine(Folder, "journal");

    /// <summary>Runs <c>collect</c> with a journal in the folder.</summary>
    /// <param name="options">Options of collect.</param>
    /// <param name="command">The build, behind <c>--</c>.</param>
    public Task<ToolRun> CollectAsync(string[] options, params string[] command) =>
        ToolRun.EndAsync(Start(["collect", "--journal", Journal, .. options, "--", .. command]));

    /// <summary>Starts the tool here as some scripts and supervisors do: with SIGCHLD ignored.</summary>
    public Process StartIgnoringChildren(params string[] arguments) => StartBy(
        "env", ["--ignore-signal=CHLD", "dotnet", "exec", Path.Combine(AppContext.BaseDirectory, "Transport.Tool.dll"), .. arguments]);

    /// <summary>Starts a program here, in the environment of the tool.</summary>
    public Process StartBy(string program, params string[] arguments)
    {
        ProcessStartInfo start = Settings(Nothing, arguments);
        start.FileName = program;
        return Process.Start(start)!;
    }

    /// <summary>Runs dotnet here, with what may differ on machines switched off.</summary>
    public Task<ToolRun> DotnetAsync(params string[] arguments) => ToolRun.EndAsync(Process.Start(Settings(Nothing, arguments))!);

    /// <summary>Starts the tool here, in the environment that the test has.</summary>
    public Process Start(params string[] arguments) => Start(Nothing, arguments);

    /// <summary>Starts the tool here. Who starts the tests with SIGINT ignored (a shell's background job) hands that down, so it gets
    /// default signals.</summary>
    public Process Start(IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        string[] tool = ["exec", Path.Combine(AppContext.BaseDirectory, "Transport.Tool.dll"), .. arguments];
        if (!OperatingSystem.IsLinux())
        {
            return Process.Start(Settings(environment, tool))!;
        }

        ProcessStartInfo start = Settings(environment, ["--default-signal=INT,QUIT,TERM", "dotnet", .. tool]);
        start.FileName = "/usr/bin/env";
        return Process.Start(start)!;
    }

    public void Dispose() => _folder.Dispose();

    private ProcessStartInfo Settings(IReadOnlyDictionary<string, string> environment, string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", arguments)
        {
            UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = Folder,
        };

        // What the test itself was started with (dotnet test) would change what MSBuild does.
        string[] names = [.. start.Environment.Keys.Where(key => key.StartsWith("MSBuild", StringComparison.OrdinalIgnoreCase))];
        foreach (string name in names)
        {
            start.Environment.Remove(name);
        }

        start.Environment["TRANSPORT_DIR"] = Path.Combine(Folder, "run");   // no collector but the test's own is found there
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["DOTNET_CLI_USE_MSBUILD_SERVER"] = "0";
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        return start;
    }
}
