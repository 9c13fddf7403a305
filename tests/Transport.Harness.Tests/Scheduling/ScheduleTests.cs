using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using BuildHarness.Packets;
using BuildHarness.Scheduling;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Scheduling;

/// <summary>Random projects built by workers that are played: what comes of it is what recursion says, each target runs once, and it
/// always ends.</summary>
[TestFixture]
internal sealed class ScheduleTests
{
    private static readonly int Rounds = Nightly.Rounds(nightly: 50_000, otherwise: 2_000);

    [Test]
    public void What_is_built_is_what_recursion_says_and_each_target_runs_once() => Play((random, seed) =>
    {
        var world = World.Random(random, circles: false);
        var played = new Played(world, random.Next(1, 5), random);
        bool? succeeded = played.Run(deaths: 0);

        var expected = new Dictionary<(int, int), bool>();
        Assert.That(succeeded, Is.EqualTo(world.Build((0, 0), expected)), $"seed {seed}");
        Assert.That(played.Runs.Select(run => (run.Project, run.Target)), Is.EquivalentTo(expected.Keys), $"seed {seed}: each once");
        Assert.That(
            played.Runs.GroupBy(run => run.Project).Select(group => group.Select(run => run.Node).Distinct().Count()), Is.All.EqualTo(1),
            $"seed {seed}: a project has one worker");
    });

    [Test]
    public void A_circle_ends_a_build() => Play((random, seed) =>
    {
        var played = new Played(World.Random(random, circles: true), random.Next(1, 5), random);
        bool? succeeded = played.Run(deaths: 0);
        Assert.That(succeeded, Is.Not.Null, () => $"seed {seed}: it ends\n{played}");
        Assert.That(played.Runs.Select(run => (run.Project, run.Target)), Is.Unique, $"seed {seed}: each once");
    });

    [Test]
    public void A_build_survives_the_deaths_of_workers() => Play((random, seed) =>
    {
        var world = World.Random(random, circles: false);
        var played = new Played(world, random.Next(1, 5), random);
        bool? succeeded = played.Run(deaths: random.Next(1, 5));
        Assert.That(succeeded, Is.Not.Null, () => $"seed {seed}: it ends\n{played}");
        if (!played.IsLostForGood)
        {
            Assert.That(succeeded, Is.EqualTo(world.Build((0, 0), [])), $"seed {seed}");
        }
    });

    [Test]
    public void A_project_of_which_two_workers_have_died_has_failed()
    {
        var schedule = new Schedule();
        schedule.Begin(new ProjectWork("/a.proj", [], []));
        schedule.Ready("n1");
        ScheduleMove.Lost first = schedule.Ended("n1").OfType<ScheduleMove.Lost>().Single();
        schedule.Ready("n2");
        ScheduleMove.Lost second = schedule.Ended("n2").OfType<ScheduleMove.Lost>().Single();

        Assert.That((first.WillRetry, second.WillRetry), Is.EqualTo((true, false)));
        Assert.That(schedule.Result, Is.Not.Null.And.Property(nameof(WorkResult.Succeeded)).False);
        Assert.That(schedule.Projects.Single().State, Is.EqualTo(ProjectState.Failed));
        Assert.That(schedule.Projects.Single().Attempts, Is.EqualTo(2));
    }

    [Test]
    public void A_project_that_only_stands_beside_one_that_kills_its_worker_is_not_to_blame()
    {
        var schedule = new Schedule();
        schedule.Begin(new ProjectWork("/a.proj", [], []));
        for (int i = 1; i <= 2; i++)
        {
            schedule.Ready($"n{i}");
            int waits = schedule.Of($"n{i}").Single().Id;
            schedule.Asked($"n{i}", new AskProject(1, waits, [new ProjectWork("/b.proj", [], ["GetItems"]), new ProjectWork("/c.proj", [], [])]));
            ScheduledRequest question = schedule.Of($"n{i}").First(one => one.Work.Path == "/b.proj");
            Assert.That(schedule.Of($"n{i}"), Has.Count.AtLeast(2));
            ScheduleMove.Lost[] lost = [.. schedule.Ended($"n{i}").OfType<ScheduleMove.Lost>()];
            Assert.That(lost.Select(one => one.Request.Configuration.Path), Has.None.EqualTo("/a.proj"), "it waited");
            Assert.That(question.Node, Is.Null);
        }

        Assert.That(schedule.Result, Is.Null, "the entry is given out once more");
    }

    [Test]
    public void What_MSBuild_has_in_memory_of_a_solution_goes_to_the_worker_that_has_the_solution()
    {
        var schedule = new Schedule();
        schedule.Begin(new ProjectWork("/all.proj", [], []));
        schedule.Ready("n1");
        schedule.Ready("n2");
        schedule.Asked("n1", new AskProject(1, 1, [new ProjectWork("/a/a.sln", [], []), new ProjectWork("/b/b.sln", [], [])]));
        ScheduledRequest second = schedule.Of("n2").Single();
        ScheduleMove.Give given = schedule.Asked(
            "n2", new AskProject(1, second.Id, [new ProjectWork($"{Path.GetDirectoryName(second.Work.Path)}/x.csproj.metaproj", [], [])]))!
            .OfType<ScheduleMove.Give>().Single();
        Assert.That(given.Node, Is.EqualTo("n2"));
    }

    [Test]
    public void A_worker_that_tells_of_what_it_was_not_given_is_not_believed()
    {
        var schedule = new Schedule();
        schedule.Begin(new ProjectWork("/a.proj", [], []));
        schedule.Ready("n1");
        schedule.Ready("n2");
        Assert.That(schedule.Built("n2", new ProjectBuilt(1, new WorkResult(true, []), null)), Is.Null);
        Assert.That(schedule.Asked("n2", new AskProject(1, 1, [new ProjectWork("/b.proj", [], [])])), Is.Null);
        Assert.That(schedule.Built("n1", new ProjectBuilt(7, new WorkResult(true, []), null)), Is.Null);
        Assert.That(schedule.Result, Is.Null);
    }

    [Test]
    public void What_was_not_built_for_a_reference_that_failed_is_skipped()
    {
        var schedule = new Schedule();
        schedule.Begin(new ProjectWork("/a.proj", [], []));
        schedule.Ready("n1");
        IReadOnlyList<ScheduleMove> asked = schedule.Asked("n1", new AskProject(1, 1, [new ProjectWork("/b.proj", [], [])]))!;
        int reference = asked.OfType<ScheduleMove.Give>().Single().Request.Id;
        schedule.Built("n1", new ProjectBuilt(reference, WorkResult.Failed, null, Errors: 1));
        ScheduleMove.Settled settled = schedule.Built("n1", new ProjectBuilt(1, WorkResult.Failed, null))!
            .OfType<ScheduleMove.Settled>().Single();

        Assert.That(settled.Project.State, Is.EqualTo(ProjectState.Skipped));
        Assert.That(settled.Because!.Path, Is.EqualTo("/b.proj"));
    }

    [TestCase(true, false)]
    [TestCase(false, true)]
    public void Any_error_fails_a_build_in_which_warnings_are_errors(bool asErrors, bool expected)
    {
        var schedule = new Schedule();
        schedule.Begin(new ProjectWork("/a.proj", [], []));
        schedule.Ready("n1");
        schedule.Evaluated(new ProjectEvaluated("/a.proj", "", false, "", "", asErrors));
        schedule.Built("n1", new ProjectBuilt(1, new WorkResult(true, []), null, Errors: 1));
        Assert.That((schedule.Result!.Succeeded, schedule.Succeeded), Is.EqualTo((true, expected)));
    }

    [Test]
    public void A_project_that_is_only_asked_for_its_items_does_not_count()
    {
        var schedule = new Schedule();
        schedule.Begin(new ProjectWork("/a.slnx", [], ["Rebuild"]));
        schedule.Ready("n1");
        schedule.Asked("n1", new AskProject(1, 1, [new ProjectWork("/b.proj", [], ["GetTargetFrameworks"])]));
        schedule.Asked("n1", new AskProject(2, 1, [new ProjectWork("/c.proj", [], ["GetTargetPath", "Rebuild"])]));
        Assert.That(schedule.Projects.Select(one => one.Path), Is.EqualTo(new[] { "/c.proj" }));
    }

    [Test]
    public void What_differs_in_a_property_alone_is_another_project()
    {
        var schedule = new Schedule();
        schedule.Begin(new ProjectWork("/a.proj", [], []));
        schedule.Ready("n1");
        schedule.Asked("n1", new AskProject(1, 1, [new ProjectWork("/b.proj", [new("P", "1"), new("Q", "2")], [])]));
        schedule.Asked("n1", new AskProject(2, 1, [new ProjectWork("/b.proj", [new("q", "2"), new("p", "1")], [])]));
        schedule.Asked("n1", new AskProject(3, 1, [new ProjectWork("/b.proj", [new("P", "1")], [])]));
        Assert.That(schedule.Projects.Count(one => one.Path == "/b.proj"), Is.EqualTo(2));
        Assert.That(schedule.Repeated, Is.EqualTo(1));
    }

    private static void Play(Action<Random, int> round)
    {
        int first = Random.Shared.Next(int.MaxValue / 2);
        TestContext.Out.WriteLine($"seeds {first} to {first + Rounds - 1}");
        for (int i = 0; i < Rounds; i++)
        {
            round(new Random(first + i), first + i);
        }
    }

    /// <summary>A build by played workers.</summary>
    private sealed class Played(World world, int nodes, Random random)
    {
        private const int Most = 20_000;

        private readonly Schedule _schedule = new(Hints(world, random));
        private readonly Dictionary<string, PlayedWorker> _workers = [];
        private int _started;

        public List<(string Node, int Project, int Target)> Runs { get; } = [];

        /// <summary>Gets a value indicating whether a project was given up for its workers' deaths.</summary>
        public bool IsLostForGood { get; private set; }

        /// <summary>What project files would say: the truth, with some of it missing and some that is not so.</summary>
        private static Func<string, IReadOnlyList<string>> Hints(World world, Random random)
        {
            int wrong = random.Next(0, 4);
            return path =>
            {
                int project = int.Parse(path, CultureInfo.InvariantCulture), projects = world.Steps.GetLength(0);
                return [.. Enumerable.Range(0, projects).Where(other => random.Next(10) < wrong ? random.Next(2) == 0
                    : Enumerable.Range(0, world.Steps.GetLength(1)).Any(target => world.Steps[project, target]
                        .Exists(step => step.Wanted.Any(wanted => wanted.Project == other))))
                    .Select(other => other.ToString(CultureInfo.InvariantCulture))];
            };
        }

        /// <returns>Whether it succeeded; null: it stands still and will not end.</returns>
        public bool? Run(int deaths)
        {
            Do(_schedule.Begin(PlayedWorker.Write((0, 0))));
            while (_started < nodes)
            {
                Start();
            }

            for (int i = 0; i < Most && _schedule.Result is null; i++)
            {
                PlayedWorker worker = _workers.Values.ElementAt(random.Next(_workers.Count));
                if (deaths > 0 && random.Next(20) == 0)
                {
                    deaths--;
                    _workers.Remove(worker.Name);
                    Do(_schedule.Ended(worker.Name));
                    Start();
                }
                else if (worker.Play(random) is { } said)
                {
                    foreach (object one in said)
                    {
                        Do(one is AskProject question ? _schedule.Asked(worker.Name, question)!
                            : _schedule.Built(worker.Name, (ProjectBuilt)one)!);
                    }
                }
                else if (worker.Still() is { } id)
                {
                    worker.Watched.Remove(id, out int round);
                    Do(_schedule.StandsStill(worker.Name, id, round, worker.Steps));
                }
            }

            return _schedule.Result?.Succeeded;
        }

        /// <summary>Returns what every worker has, for a build that stands still.</summary>
        public override string ToString() =>
            string.Join('\n', _workers.Keys.Select(node => $"{node}: {string.Join(", ", _schedule.Of(node).Select(Describe))}"))
            + $"\n{_schedule.Waiting} wait for a worker";

        private static string Describe(ScheduledRequest one) =>
            $"{one.Id} = {one.Work.Path}.{one.Work.Targets[0]} wants {string.Join('+', one.WaitsFor.Keys.Select(wanted => wanted.Id))}"
            + (one.IsGivenUp ? " given up" : string.Empty) + (one.IsStill ? " still" : string.Empty);

        private void Start()
        {
            string name = $"n{++_started}";
            _workers.Add(name, new PlayedWorker(world, name, Runs));
            Do(_schedule.Ready(name));
        }

        private void Do(IReadOnlyList<ScheduleMove> moves)
        {
            foreach (ScheduleMove move in moves)
            {
                switch (move)
                {
                    case ScheduleMove.Give give:
                        _workers[give.Node].Give(give.Request.Id, give.Request.Work);
                        break;
                    case ScheduleMove.Answer answer:
                        _workers[answer.Node].Answer(answer.Question, answer.Result);
                        break;
                    case ScheduleMove.Watch watch:
                        _workers[watch.Node].Watched[watch.Request.Id] = watch.Round;
                        break;
                    case ScheduleMove.Lost lost:
                        IsLostForGood |= !lost.WillRetry;
                        break;
                }
            }
        }
    }
}
