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
            "::error::##vso[task.complete]",
            "::endgroup::",
        }));
        Assert.That(Annotations.Azure(model, "/w"), Is.EqualTo(new[]
        {
            "##[group]App.csproj: 1 error, 1 warning",
            "##vso[task.logissue type=warning;sourcepath=src/a,b.cs;linenumber=3;columnnumber=7;code=CS1]"
                + "CS1: 50%AZP25 done%0A::set-env name=x::y",
            "##vso[task.logissue type=error]##vso[task.complete]",
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
