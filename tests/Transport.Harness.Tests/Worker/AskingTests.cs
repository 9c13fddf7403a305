using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Packets;
using BuildHarness.Worker;
using NUnit.Framework;
using Transport;
using Transport.MSBuild;
using Transport.Testing;
using Transport.Testing.Wires;

namespace BuildHarness.Tests.Worker;

/// <summary>What a session's projects want of others is asked for, and nothing else of MSBuild's task changes.</summary>
[TestFixture]
[NonParallelizable] // MSBuild changes the process's current folder
internal sealed class AskingTests
{
    private static readonly LevelRules Trace = new(PacketLevel.Trace);

    private TemporaryFolder _folder = null!;
    private ConcurrentQueue<BuildEvent> _events = null!;

    [SetUp]
    public void SetUp() => (_folder, _events) = (new TemporaryFolder(), new ConcurrentQueue<BuildEvent>());

    [TearDown]
    public void TearDown() => _folder.Dispose();

    [Test]
    public void Items_come_back_with_their_metadata_as_they_were()
    {
        _folder.File("b.proj", """
            <Project><Target Name="T" Returns="@(I)"><ItemGroup>
              <I Include="x%3By"><M>1%3B2</M><N>%2A</N></I><I Include="x;*z" /><I Include="last"><M>ä</M></I>
            </ItemGroup></Target></Project>
            """);
        string path = _folder.File("a.proj", """
            <Project><Target Name="Go">
              <MSBuild Projects="b.proj" Targets="T"><Output TaskParameter="TargetOutputs" ItemName="O" /></MSBuild>
              <Message Importance="high" Text="@(O->'[%(Identity) %(M) %(N)]', ' ') %(O.MSBuildSourceTargetName)" />
            </Target></Project>
            """);
        using SessionRig session = Begin();

        Assert.That(session.Build(Work(path)).Result.Succeeded, Is.True, Said);
        string[] said = [.. Messages().Where(text => text.StartsWith('['))];
        Assert.That(said, Is.EqualTo(new[] { "[x;y 1;2 *] [x  ] [last ä ] T" }), "no file is called z");
    }

    [Test]
    public void Global_properties_travel_as_they_are_and_as_the_task_says()
    {
        string b = _folder.File("b.proj", "<Project><Target Name=\"T\"><Message Importance=\"high\" Text=\"b $(A)|$(B)|$(C)|$(Gone)\" />"
            + "<MSBuild Projects=\"c.proj\" RemoveProperties=\"B\" /></Target></Project>");
        _folder.File(
            "c.proj", "<Project><Target Name=\"T\"><Message Importance=\"high\" Text=\"c $(A)|$(B)|$(C)|$(Gone)\" /></Target></Project>");
        string path = _folder.File("a.proj", "<Project><Target Name=\"T\"><MSBuild Projects=\"b.proj\" RemoveProperties=\"Gone\" "
            + "Properties=\"B=%24(no)%3B1;C= x ;Gone=set and removed\" /></Target></Project>");
        using SessionRig session = Begin();

        Assert.That(session.Build(Work(path, properties: [new("A", "p%3Bq"), new("Gone", "g")])).Result.Succeeded, Is.True, Said);
        Assert.That(Messages().Where(text => text.StartsWith("b ", StringComparison.Ordinal)), Is.EqualTo(new[] { "b p;q|$(no);1|x|" }));
        Assert.That(Messages().Where(text => text.StartsWith("c ", StringComparison.Ordinal)), Is.EqualTo(new[] { "c p;q||x|" }));
        Assert.That(session.Asked.Select(work => work.Path), Is.EqualTo(new[] { b, Path.Combine(_folder.Path, "c.proj") }));
    }

    [Test]
    public async Task While_a_project_waits_for_an_answer_another_is_built()
    {
        string waits = _folder.File("a.proj", "<Project><Target Name=\"T\"><MSBuild Projects=\"b.proj\" /></Target></Project>");
        string goes = _folder.File("c.proj", "<Project><Target Name=\"T\" /></Project>");
        _folder.File("b.proj", "<Project><Target Name=\"T\" /></Project>");
        using SessionRig session = Begin();
        var answer = new TaskCompletionSource<WorkResult>();
        session.Answers = _ => answer.Task;
        Task<ProjectBuilt> first = session.BuildAsync(Work(waits));
        await Wait.UntilAsync(() => !session.Asked.IsEmpty, "the question");

        Assert.That((await session.BuildAsync(Work(goes)).Within("the other's build")).Result.Succeeded, Is.True, Said);
        Assert.That(first.IsCompleted, Is.False);
        answer.SetResult(new WorkResult(true, []));
        Assert.That((await first.Within("the first one's build")).Result.Succeeded, Is.True, Said);
    }

    [Test]
    public async Task A_request_that_waits_for_a_target_of_another_stands_still_and_goes_on_behind_it()
    {
        string path = _folder.File("a.proj", """
            <Project>
              <Target Name="Build"><MSBuild Projects="b.proj" /><Message Importance="high" Text="built" /></Target>
              <Target Name="Pack" DependsOnTargets="Build" />
            </Project>
            """);
        _folder.File("b.proj", "<Project><Target Name=\"T\" /></Project>");
        using SessionRig session = Begin();
        var answer = new TaskCompletionSource<WorkResult>();
        session.Answers = _ => answer.Task;
        Task<ProjectBuilt> first = session.BuildAsync(Work(path));
        await Wait.UntilAsync(() => !session.Asked.IsEmpty, "the question");
        Task<ProjectBuilt> second = session.BuildAsync(Work(path, "Pack"));
        session.Session.Watch(new WatchProject(2, 7));
        await Wait.UntilAsync(() => !session.Still.IsEmpty, "it stands still");

        Assert.That(session.Still.Select(one => (one.Id, one.Round)), Is.EqualTo(new[] { (2, 7) }));
        Assert.That(second.IsCompleted, Is.False);
        answer.SetResult(new WorkResult(true, []));
        ProjectBuilt[] built = await Task.WhenAll(first, second).Within("both builds");
        Assert.That(built.Select(one => one.Result.Succeeded), Is.All.True, Said);
        Assert.That(Messages().Count(text => text == "built"), Is.EqualTo(1));
        Assert.That(session.Asked, Has.Count.EqualTo(1));
    }

    [Test]
    public void What_a_project_of_a_solution_wants_is_asked_and_the_users_own_props_are_imported()
    {
        _folder.File("A/A.proj", "<Project><Target Name=\"Build\" /><Target Name=\"Extra\" /></Project>");
        _folder.File("Directory.Solution.props", "<Project><Target Name=\"Mine\" BeforeTargets=\"Extra\"><Message Importance=\"high\" "
            + "Text=\"mine $(DirectorySolutionPropsPath.Length)\" /></Target></Project>");
        string path = _folder.File("All.slnx", "<Solution><Project Path=\"A/A.proj\" Type=\"C#\" /></Solution>");
        using SessionRig session = Begin();

        Assert.That(session.Build(Work(path, "Extra")).Result.Succeeded, Is.True, Said);
        ProjectWork asked = session.Asked.Single();
        Assert.That((asked.Path, asked.Targets.Single()), Is.EqualTo((Path.Combine(_folder.Path, "A", "A.proj"), "Extra")));
        Assert.That(asked.Properties.Select(p => p.Key), Has.None.EqualTo("DirectorySolutionPropsPath"));
        Assert.That(Messages(), Has.Some.StartsWith("mine "));
    }

    [TestCase("ImportDirectorySolutionProps", "false", false)]
    [TestCase("ImportDirectorySolutionProps", "true", true)]
    [TestCase("DirectorySolutionPropsPath", "other.props", false)]
    public void What_the_user_says_of_a_solutions_props_holds_and_its_projects_inherit_it(string name, string value, bool isMine)
    {
        _folder.File("A/A.proj", "<Project><Target Name=\"Build\" /></Project>");
        string mine = "<Project><Target Name=\"Mine\" BeforeTargets=\"Build\"><Message Importance=\"high\" Text=\"{0}\" /></Target></Project>";
        _folder.File("Directory.Solution.props", string.Format(CultureInfo.InvariantCulture, mine, "mine"));
        _folder.File("other.props", string.Format(CultureInfo.InvariantCulture, mine, "other"));
        string path = _folder.File("All.slnx", "<Solution><Project Path=\"A/A.proj\" Type=\"C#\" /></Solution>");
        using SessionRig session = Begin();

        Assert.That(session.Build(Work(path, properties: [new(name, value)])).Result.Succeeded, Is.True, Said);
        Assert.That(Messages().Count(text => text == "mine"), Is.EqualTo(isMine ? 1 : 0));
        Assert.That(Messages().Count(text => text == "other"), Is.EqualTo(value == "other.props" ? 1 : 0));
        ProjectWork asked = session.Asked.Single();
        KeyValuePair<string, string>[] inherited = [.. asked.Properties.Where(p => p.Key.Contains("SolutionProps", StringComparison.Ordinal))];
        Assert.That(inherited, Is.EqualTo(new[] { KeyValuePair.Create(name, value) }));
    }

    [Test]
    public void An_error_that_was_logged_is_not_its_projects_failure_where_warnings_are_errors()
    {
        string path = _folder.File(
            "a.proj", "<Project><Target Name=\"T\"><Warning Code=\"W1\" Text=\"w\" ContinueOnError=\"true\" /></Target></Project>");
        using var session = new SessionRig(_events.Enqueue, new WantedEvents(static () => Trace), new StartSession(AsErrors: []));
        ProjectBuilt built = session.Build(Work(path));

        Assert.That((built.Result.Succeeded, built.Errors), Is.EqualTo((true, 1)), Said);
    }

    [TestCase("<MSBuildTreatWarningsAsErrors>true</MSBuildTreatWarningsAsErrors>", true)]
    [TestCase("<MSBuildWarningsAsErrors>X1</MSBuildWarningsAsErrors>", true)]
    [TestCase("<MSBuildTreatWarningsAsErrors>no</MSBuildTreatWarningsAsErrors>", false)]
    [TestCase("<TreatWarningsAsErrors>true</TreatWarningsAsErrors><WarningsAsErrors>X1</WarningsAsErrors>", false)]
    public void A_project_that_makes_errors_of_warnings_is_known(string property, bool expected)
    {
        string path = _folder.File("a.proj", $"<Project><PropertyGroup>{property}</PropertyGroup><Target Name=\"T\" /></Project>");
        using SessionRig session = Begin();
        Assert.That(session.Build(Work(path)).Project!.FailsForErrors, Is.EqualTo(expected));
    }

    [Test]
    public void A_target_that_is_not_there_fails_who_does_not_skip_it_and_nobody_else()
    {
        string path = _folder.File("a.proj", "<Project><Target Name=\"T\" /></Project>");
        using SessionRig session = Begin();
        ProjectBuilt strict = session.Build(Work(path, "Gone"));
        ProjectBuilt lenient = session.Build(Work(path, "Gone") with { SkipsMissingTargets = true });
        ProjectBuilt other = session.Build(Work(path, "T"));
        Assert.That(
            (strict.Result.Succeeded, lenient.Result.Succeeded, other.Result.Succeeded), Is.EqualTo((false, true, true)), Said);
    }

    [Test]
    public void A_target_after_the_build_that_goes_on_behind_an_error_fails_its_project()
    {
        string path = _folder.File("a.proj", """
            <Project><Target Name="Build" /><Target Name="Other" /><Target Name="After" AfterTargets="Build">
              <Error Text="e" ContinueOnError="ErrorAndContinue" /></Target></Project>
            """);
        using SessionRig session = Begin();
        Assert.That(session.Build(Work(path)).Result.Succeeded, Is.False, Said);
        Assert.That(session.Build(Work(path, "Build")).Result.Succeeded, Is.False, "nor does it succeed when it is asked once more");
        Assert.That(session.Build(Work(path, "Other")).Result.Succeeded, Is.True, "another target has nothing to do with it");
    }

    /// <summary>As by `dotnet build`: random solutions 2038 and 3096.</summary>
    [Test]
    public void An_error_that_a_target_behind_another_goes_on_behind_fails_the_whole_build_and_no_project_that_asks()
    {
        string path = _folder.File("a.proj", """
            <Project>
              <Target Name="Build" />
              <Target Name="Rebuild" DependsOnTargets="Build" />
              <Target Name="Keep" AfterTargets="Build"><Error Text="kept" ContinueOnError="ErrorAndContinue" /></Target>
            </Project>
            """);
        Assert.That(Outcome("Rebuild", isEntry: false), Is.True, Said);
        Assert.That(Outcome("Build", isEntry: false), Is.False, "the target that failed is behind the one that was asked for");
        Assert.That(Outcome("Rebuild", isEntry: true), Is.False);

        bool Outcome(string target, bool isEntry)
        {
            using SessionRig session = Begin();
            return session.Build(Work(path, target), isEntry).Result.Succeeded;
        }
    }

    [Test]
    public async Task A_session_that_is_cancelled_waits_for_no_answer()
    {
        string path = _folder.File("a.proj", "<Project><Target Name=\"T\"><MSBuild Projects=\"b.proj\" /></Target></Project>");
        _folder.File("b.proj", "<Project><Target Name=\"T\" /></Project>");
        using SessionRig session = Begin();
        session.Answers = _ => new TaskCompletionSource<WorkResult>().Task;
        Task<ProjectBuilt> built = session.BuildAsync(Work(path));
        await Wait.UntilAsync(() => !session.Asked.IsEmpty, "the question");
        session.Session.Cancel();
        Assert.That((await built.Within("the end of the request")).Result.Succeeded, Is.False);
    }

    [Test]
    public void What_a_project_was_evaluated_to_is_told()
    {
        string path = _folder.File("a.proj", """
            <Project>
              <PropertyGroup><TargetFrameworks>f1;f2</TargetFrameworks><OutDir>bin\x\</OutDir>
                <IntermediateOutputPath>obj/</IntermediateOutputPath><CleanFile>a.txt</CleanFile></PropertyGroup>
              <Target Name="T" />
            </Project>
            """);
        using SessionRig session = Begin();
        session.Build(Work(path, "T"));
        ProjectBuilt inner = session.Build(Work(path, properties: [new("TargetFramework", "f1")]));

        Assert.That(session.Evaluated.First(), Is.EqualTo(new ProjectEvaluated(path, string.Empty, false, string.Empty, string.Empty)));
        Assert.That(inner.Project, Is.EqualTo(new ProjectEvaluated(
            path, "f1", IsInner: true, Path.Combine(_folder.Path, "bin", "x"), Path.Combine(_folder.Path, "obj", "a.txt"))));
    }

    private static ProjectWork Work(string path, string? target = null, params KeyValuePair<string, string>[] properties) =>
        new(path, properties, target is null ? [] : [target]);

    private SessionRig Begin() => new(_events.Enqueue, new WantedEvents(static () => Trace));

    private IEnumerable<string> Messages() =>
        _events.Where(one => one.Kind == BuildEventKind.Message).Select(one => one.Message ?? string.Empty);

    private string Said() => string.Join('\n', _events.Where(one => one.Kind is BuildEventKind.Error or BuildEventKind.Warning)
        .Select(one => one.Message));
}
