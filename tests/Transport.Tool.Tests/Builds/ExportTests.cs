using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.MSBuild;
using Transport.Testing;

namespace Transport.Tool.Tests.Builds;

[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
internal sealed class ExportTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Test]
    public async Task The_critical_path_is_what_the_build_waited_for_from_its_beginning_to_its_end()
    {
        BuildModel model = await Samples.ModelAsync(_folder.Path, Samples.Nested());

        Assert.That(model.CriticalPath().Select(step => (step.Project.Name, Ms(step.Start), Ms(step.End))), Is.EqualTo(new[]
        {
            ("App.csproj", 0.0, 10.0), ("Lib.csproj", 10, 20), ("Core.csproj", 20, 50), ("Lib.csproj", 50, 60), ("App.csproj", 60, 100),
        }));
    }

    [Test]
    public async Task What_a_command_wrote_without_a_file_names_none_in_annotations()
    {
        BuildModel model = await Samples.ModelAsync(_folder.Path,
        [
            Samples.Event(BuildEventKind.Warning, 1, message: "odd", values: [("File", "EXEC"), ("Code", "X1"), ("ProjectFile", "/w/App.csproj")]),
            Samples.Event(BuildEventKind.Warning, 1, message: "bad", values: [("File", "a.c"), ("LineNumber", 3L), ("ProjectFile", "/w/App.csproj")]),
        ]);

        string[] lines = [.. Annotations.GitHub(model, "/w"), .. Annotations.Azure(model, "/w")];
        Assert.That(lines, Has.None.Contains("EXEC"));
        Assert.That(lines, Has.Some.EqualTo("::warning title=X1::X1: odd").And.Some.EqualTo("::warning file=a.c,line=3::bad"));
        Assert.That(lines, Has.Some.EqualTo("##vso[task.logissue type=warning;code=X1]X1: odd"));
    }

    /// <summary>An agent of Azure takes a command from the middle of a line.</summary>
    [Test]
    public async Task No_value_of_an_annotation_is_a_command_wherever_it_stands()
    {
        const string Command = "x ##vso[task.setvariable variable=PATH]y ##VSO[a] ###[group]z ####vso[b]";
        BuildModel model = await Samples.ModelAsync(_folder.Path,
        [
            Samples.Event(BuildEventKind.Warning, 1, message: Command,
                values: [("File", Command), ("Code", Command), ("LineNumber", 3L), ("ProjectFile", "/w/" + Command)]),
            Samples.Event(BuildEventKind.Error, 1, message: "##vso[c]", values: [("File", "##[d]"), ("Code", "##vso[e]"), ("ProjectFile", "##vso[f]")]),
        ]);

        string[] own = ["##[group]", "##[endgroup]", "##vso[task.logissue "];
        foreach (string line in Annotations.GitHub(model, "/w").Concat(Annotations.Azure(model, "/w")))
        {
            string rest = own.FirstOrDefault(one => line.StartsWith(one, StringComparison.Ordinal)) is { } begin ? line[begin.Length..] : line;
            Assert.That(rest, Does.Not.Contain("##vso[").IgnoreCase.And.Not.Contain("##["), line);
        }
    }

    /// <summary>The solution asks for App and Units at once. App waits in its MSBuild task for Units, which is being built for the solution on
    /// another node, then for Geometry in the same way; only the last stretch is its own.</summary>
    [Test]
    public async Task While_a_project_waits_the_critical_path_is_in_the_one_that_ended_last_whoever_asked_for_it()
    {
        BuildModel model = await Samples.ModelAsync(_folder.Path,
        [
            Samples.Project(1, 0, "/w/All.slnx"),
            Samples.Event(BuildEventKind.TargetStarted, 1, project: 1, target: 1, values: ("TargetName", "Build")),
            Samples.Event(BuildEventKind.TaskStarted, 2, project: 1, target: 1, task: 1, values: ("TaskName", "MSBuild")),
            Samples.Project(2, 5, "/w/App.csproj", parent: 1),
            Samples.Project(3, 6, "/w/Units.csproj", node: 2, parent: 1),
            Samples.Event(BuildEventKind.TargetStarted, 10, project: 2, target: 2, values: ("TargetName", "ResolveProjectReferences")),
            Samples.Event(BuildEventKind.TaskStarted, 10, project: 2, target: 2, task: 2, values: ("TaskName", "MSBuild")),
            Samples.ProjectEnd(3, 60, node: 2),
            Samples.Project(4, 61, "/w/Geometry.csproj", node: 2, parent: 1),
            Samples.ProjectEnd(4, 110, node: 2),
            Samples.Event(BuildEventKind.TaskFinished, 112, project: 2, target: 2, task: 2, values: ("Succeeded", true)),
            Samples.ProjectEnd(2, 130),
            Samples.Event(BuildEventKind.TaskFinished, 131, project: 1, target: 1, task: 1, values: ("Succeeded", true)),
            Samples.ProjectEnd(1, 132),
        ]);

        Assert.That(model.CriticalPath().Select(step => (step.Project.Name, Ms(step.Start), Ms(step.End))), Is.EqualTo(new[]
        {
            ("All.slnx", 0.0, 2.0), ("Units.csproj", 6, 60), ("All.slnx", 60, 61), ("Geometry.csproj", 61, 110),
            ("App.csproj", 110, 130), ("All.slnx", 130, 132),
        }));
    }

    [TestCase("1")]
    [TestCase("2")]
    public async Task The_critical_path_of_a_real_build_is_the_chain_of_its_longest_waits(string nodes)
    {
        using var build = new SmallBuild();
        foreach ((string name, string needs, double seconds) in new[] { ("units", "", 0.8), ("other", "", 0.1), ("app", "units", 0.4) })
        {
            await File.WriteAllTextAsync(Path.Combine(build.Folder, name + ".proj"), $"""
                <Project DefaultTargets="Build"><Target Name="Build">
                  <MSBuild Projects="{needs}.proj" Condition="'{needs}' != ''" /><Exec Command="sleep {seconds}" />
                </Target></Project>
                """);
        }

        await File.WriteAllTextAsync(Path.Combine(build.Folder, "all.proj"), """
            <Project DefaultTargets="Build"><Target Name="Build">
              <MSBuild Projects="app.proj;units.proj;other.proj" BuildInParallel="true" />
            </Target></Project>
            """);
        ToolRun run = await build.CollectAsync([], "dotnet", "msbuild", "all.proj", "-m:" + nodes);
        Assert.That(run.ExitCode, Is.Zero, string.Join('\n', run.Output.Concat(run.Errors)));

        using BuildLog log = BuildLog.Open(build.Journal);
        PathStep[] steps = [.. BuildModel.Of(log).CriticalPath()];
        Dictionary<string, double> byName = steps.GroupBy(step => step.Project.Name)
            .ToDictionary(one => one.Key, one => one.Sum(step => step.End - step.Start) / (double)TimeSpan.TicksPerSecond);
        string all = string.Join(", ", steps.Select(step => $"{step.Project.Name} {(step.End - step.Start) / 10_000} ms"));
        Assert.That(byName["units.proj"], Is.InRange(0.75, 5), all);
        Assert.That(byName["app.proj"], Is.InRange(0.35, 0.75), $"it waited for the other 0.8 s; {all}");
        Assert.That(steps.Zip(steps.Skip(1)).All(pair => pair.First.End <= pair.Second.Start), Is.True, all);
    }

    [Test]
    public async Task What_a_killed_build_left_open_ends_with_its_last_event()
    {
        BuildModel model = await Samples.ModelAsync(_folder.Path, Samples.Nested().Take(8));

        Assert.That(model.Succeeded, Is.Null);
        Assert.That(model.Projects.Select(project => (project.Name, project.Succeeded, Ms(project.End))), Is.EqualTo(new[]
        {
            ("App.csproj", (bool?)null, 71.0), ("Lib.csproj", true, 60), ("Core.csproj", true, 50),
        }));
        Assert.That(Ms(model.Projects[0].OwnTargets.Single().Tasks.Single().End), Is.EqualTo(71));
    }

    [Test]
    public async Task A_trace_has_projects_targets_tasks_arrows_and_the_critical_path()
    {
        using var output = new MemoryStream();
        TraceExport.WriteTo(output, await Samples.ModelAsync(_folder.Path, Samples.Nested()));

        using var json = JsonDocument.Parse(output.ToArray());
        JsonElement[] events = [.. json.RootElement.GetProperty("traceEvents").EnumerateArray()];
        string[] spans = [.. events.Where(one => one.GetProperty("ph").GetString() == "X").Select(one =>
            $"{one.GetProperty("cat")} {one.GetProperty("name")} {one.GetProperty("ts")}+{one.GetProperty("dur")}")];
        Assert.That(spans, Is.EquivalentTo(new[]
        {
            "project App.csproj 0+100000", "target CoreCompile 70000+26000", "task Csc 71000+24000", "project Lib.csproj 10000+50000",
            "project Core.csproj 20000+30000", "critical path App.csproj 0+10000", "critical path Lib.csproj 10000+10000",
            "critical path Core.csproj 20000+30000", "critical path Lib.csproj 50000+10000", "critical path App.csproj 60000+40000",
        }));
        Assert.That(events.Count(one => one.GetProperty("ph").GetString() is "s" or "f"), Is.EqualTo(4), "two arrows");

        // Viewers want the spans of one track nested or apart: Core begins while Lib waits, so it has a track of its own.
        int[] tracks = [.. events.Where(one => one.TryGetProperty("cat", out JsonElement cat) && cat.GetString() == "project"
            && one.GetProperty("pid").GetInt32() == 3).Select(one => one.GetProperty("tid").GetInt32())];
        Assert.That(tracks, Is.Unique);
    }

    [Test]
    public async Task A_page_has_the_data_as_text_and_no_address()
    {
        const string Hostile = "</script><script>alert(1)</script><!-- \u2028 &amp; \"";
        string page = Path.Combine(_folder.Path, "build.html");
        BuildModel model = await Samples.ModelAsync(_folder.Path,
        [
            .. Samples.Nested(),
            Samples.Event(BuildEventKind.Error, 90, project: 1, message: Hostile,
                values: [("Code", "E1"), ("File", "/w/a.cs"), ("LineNumber", 3L)]),
            Samples.Event(BuildEventKind.Message, 91, project: 1, message: Hostile, values: ("Importance", 0L)),
        ]);

        HtmlExport.Write(model, page);

        string html = await File.ReadAllTextAsync(page);
        Assert.That(html, Does.Not.Contain("alert(1)</script>"));
        Assert.That(html, Does.Not.Match("(src|href)=\"(?!data:,)|https?:"));
        Assert.That(html.Split("<script").Length - 1, Is.EqualTo(2), "the data and the program");
        string data = html.Split("id=\"data\">")[1].Split("</script>")[0];
        using var json = JsonDocument.Parse(data);
        Assert.That(json.RootElement.GetProperty("diagnostics")[0][2].GetString(), Is.EqualTo(Hostile));
        Assert.That(json.RootElement.GetProperty("messages")[0][2].GetString(), Is.EqualTo(Hostile));
        Assert.That(json.RootElement.GetProperty("projects").GetArrayLength(), Is.EqualTo(3));
        Assert.That(json.RootElement.GetProperty("tasks")[0][0].GetInt32(), Is.Zero, "the task names its target by number");
    }

    [Test]
    public async Task Annotations_name_the_place_and_no_message_is_a_command()
    {
        BuildModel model = await Samples.ModelAsync(_folder.Path,
        [
            Samples.Project(1, 0, "/w/App.csproj"),
            Samples.Event(BuildEventKind.Warning, 1, project: 1, message: "50% done\n::set-env name=x::y",
                values:
                [
                    ("Code", "CS1"), ("File", "src/a,b.cs"), ("LineNumber", 3L), ("ColumnNumber", 7L), ("ProjectFile", "/w/App.csproj"),
                ]),
            Samples.Event(BuildEventKind.Error, 2, project: 1, message: "##vso[task.complete]", values: ("ProjectFile", "/w/App.csproj")),
            Samples.Event(BuildEventKind.Error, 3, project: 1, message: "##vso[task.complete]", values: ("ProjectFile", "/w/App.csproj")),
        ]);

        Assert.That(Annotations.GitHub(model, "/w"), Is.EqualTo(new[]
        {
            "::group::App.csproj: 1 error, 1 warning",
            "::warning file=src/a%2Cb.cs,line=3,col=7,title=CS1::CS1: 50%25 done%0A::set-env name=x::y",
            "::error::# #vso[task.complete]",
            "::endgroup::",
        }));
        Assert.That(Annotations.Azure(model, "/w"), Is.EqualTo(new[]
        {
            "##[group]App.csproj: 1 error, 1 warning",
            "##vso[task.logissue type=warning;sourcepath=src/a,b.cs;linenumber=3;columnnumber=7;code=CS1]"
                + "CS1: 50%AZP25 done%0A::set-env name=x::y",
            "##vso[task.logissue type=error]# #vso[task.complete]",
            "##[endgroup]",
        }));
    }

    [TestCase("--binlog x.zip", 2, "expected a file that ends with .binlog")]
    [TestCase("--otlp nowhere", 2, "--otlp nowhere: expected an address")]
    [TestCase("", 2, "name what to make: --binlog FILE")]
    [TestCase("--html nothere/x.html", 3, "nothere/x.html cannot be written")]
    public async Task A_mistake_is_one_line_and_leaves_no_file(string options, int exitCode, string line)
    {
        string journal = Path.Combine(_folder.Path, "journal");
        await Samples.WriteJournalAsync(journal, Samples.Nested());

        ToolRun run = await ToolRun.Of(["export", journal, .. options.Split(' ', StringSplitOptions.RemoveEmptyEntries)]);

        Assert.That(run.ExitCode, Is.EqualTo(exitCode));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
        Assert.That(run.Errors[0], Does.Contain(line));
    }

    private static double Ms(long ticks) => new TimeSpan(ticks - Samples.Zero).TotalMilliseconds;
}
