using System;
using System.Collections.Generic;
using System.Linq;
using BuildHarness.Planning;
using BuildHarness.Scheduling;
using NUnit.Framework;
using Transport.MSBuild;

namespace BuildHarness.Tests.Scheduling;

[TestFixture]
internal sealed class SchedulerTests
{
    [Test]
    public void A_project_waits_for_its_references()
    {
        var scheduler = new Scheduler(Plan([], [0], [0, 1]));

        Assert.That(scheduler.Next("n1")!.Id, Is.Zero);
        Assert.That(scheduler.Next("n2"), Is.Null);
        scheduler.Finished("n1", succeeded: true);
        Assert.That(scheduler.Next("n2")!.Id, Is.EqualTo(1));
        Assert.That(scheduler.Next("n1"), Is.Null);
        scheduler.Finished("n2", succeeded: true);
        Assert.That(scheduler.Next("n1")!.Id, Is.EqualTo(2));
        scheduler.Finished("n1", succeeded: true);

        Assert.That(scheduler.IsDone);
        Assert.That(scheduler.Outcomes.Select(o => (o.State, o.Attempts)), Is.All.EqualTo((ProjectState.Succeeded, 1)));
    }

    [Test]
    public void The_longest_chain_goes_first()
    {
        var scheduler = new Scheduler(Plan([], [], [1], [1, 2]));

        Assert.That(scheduler.Next("n1")!.Id, Is.EqualTo(1));
        Assert.That(scheduler.Next("n2")!.Id, Is.Zero);
    }

    [Test]
    public void A_failure_skips_what_depends_on_it_and_nothing_else()
    {
        var scheduler = new Scheduler(Plan([], [], [0], [0, 2], [1]));
        Assert.That(scheduler.Next("n1")!.Id, Is.Zero);
        Assert.That(scheduler.Next("n2")!.Id, Is.EqualTo(1));

        Assert.That(scheduler.Finished("n1", succeeded: false).Select(p => p.Id), Is.EqualTo(new[] { 2, 3 }));
        scheduler.Finished("n2", succeeded: true);
        Assert.That(scheduler.Next("n1")!.Id, Is.EqualTo(4));
        scheduler.Finished("n1", succeeded: true);

        Assert.That(scheduler.IsDone);
        Assert.That(scheduler.Outcomes[3],
            Has.Property(nameof(ProjectOutcome.SkippedFor)).EqualTo(0).And.Property(nameof(ProjectOutcome.Attempts)).Zero);
    }

    [Test]
    public void A_project_that_lost_its_node_is_built_once_more()
    {
        var scheduler = new Scheduler(Plan([], [0]));
        scheduler.Next("n1");
        LostProject lost = scheduler.Died("n1")!;

        Assert.That(lost.WillRetry);
        Assert.That(scheduler.Next("n2")!.Id, Is.Zero);
        scheduler.Finished("n2", succeeded: true);
        Assert.That(scheduler.Outcomes[0],
            Has.Property(nameof(ProjectOutcome.Attempts)).EqualTo(2).And.Property(nameof(ProjectOutcome.Node)).EqualTo("n2"));
        Assert.That(scheduler.Next("n2")!.Id, Is.EqualTo(1));
    }

    [Test]
    public void A_project_that_kills_its_node_twice_has_failed_and_the_others_are_built()
    {
        var scheduler = new Scheduler(Plan([], [0], []));
        scheduler.Next("n1");
        scheduler.Died("n1");
        scheduler.Next("n2");
        LostProject lost = scheduler.Died("n2")!;

        Assert.That((lost.WillRetry, lost.Project.Id), Is.EqualTo((false, 0)));
        Assert.That(lost.Skipped.Select(p => p.Id), Is.EqualTo(new[] { 1 }));
        Assert.That(scheduler.Next("n3")!.Id, Is.EqualTo(2));
        scheduler.Finished("n3", succeeded: true);
        Assert.That(scheduler.IsDone);
    }

    [Test]
    public void A_node_that_dies_between_projects_loses_none()
    {
        var scheduler = new Scheduler(Plan([], [0]));
        Assert.That(scheduler.Died("n1"), Is.Null);
        Assert.That(scheduler.Next("n2")!.Id, Is.Zero);
    }

    [Test]
    public void A_stopped_build_gives_nothing_out_and_may_finish_what_it_is_on()
    {
        var scheduler = new Scheduler(Plan([], [0], []));
        scheduler.Next("n1");
        scheduler.Stop();

        Assert.That(scheduler.Next("n2"), Is.Null);
        scheduler.Finished("n1", succeeded: true);
        Assert.That(scheduler.Outcomes.Select(o => o.State),
            Is.EqualTo(new[] { ProjectState.Succeeded, ProjectState.Skipped, ProjectState.Skipped }));
        Assert.That(scheduler.IsDone);
    }

    [TestCase(true)]
    [TestCase(false)]
    public void What_the_end_of_the_build_cuts_off_was_stopped_and_has_not_failed(bool died)
    {
        var scheduler = new Scheduler(Plan([], [0]));
        scheduler.Next("n1");
        scheduler.Stop();
        if (died)
        {
            scheduler.Died("n1");
        }
        else
        {
            scheduler.Finished("n1", succeeded: false);
        }

        Assert.That(scheduler.Outcomes.Select(o => o.State), Is.EqualTo(new[] { ProjectState.Stopped, ProjectState.Skipped }));
        Assert.That(scheduler.IsDone);
    }

    [Test]
    public void A_node_is_given_one_project_at_a_time()
    {
        var scheduler = new Scheduler(Plan([], []));
        scheduler.Next("n1");
        Assert.That(() => scheduler.Next("n1"), Throws.InvalidOperationException);
    }

    [Test]
    public void Any_graph_is_built_once_and_in_order_whatever_dies([Range(1, 40)] int seed)
    {
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        BuildPlan plan = Plan(
            [.. Enumerable.Range(0, random.Next(1, 40)).Select(id => Enumerable.Range(0, id).Where(_ => random.Next(4) == 0).ToArray())]);
        var scheduler = new Scheduler(plan);
        var succeeded = new HashSet<int>();
        var busy = new Dictionary<string, PlannedProject>(StringComparer.Ordinal);
        int nodes = 0, given = 0;
        while (!scheduler.IsDone)
        {
            while (busy.Count < 3 && scheduler.Next("n" + ++nodes) is { } next)
            {
                given++;
                Assert.That(next.References, Is.SubsetOf(succeeded));
                busy.Add("n" + nodes, next);
            }

            Assert.That(busy, Is.Not.Empty, "nothing is under way, yet the build is not done");
            string node = busy.Keys.ElementAt(random.Next(busy.Count));
            switch (random.Next(10))
            {
                case 0:
                    scheduler.Died(node);
                    break;
                case 1:
                    scheduler.Finished(node, succeeded: false);
                    break;
                default:
                    scheduler.Finished(node, succeeded: true);
                    Assert.That(succeeded.Add(busy[node].Id), "built twice");
                    break;
            }

            busy.Remove(node);
        }

        Assert.That(scheduler.Outcomes.Sum(o => o.Attempts), Is.EqualTo(given));
        foreach (PlannedProject project in plan.Projects)
        {
            bool all = project.References.All(succeeded.Contains);
            Assert.That(scheduler.Outcomes[project.Id].State == ProjectState.Skipped, Is.EqualTo(!all), $"project {project.Id}");
        }
    }

    private static BuildPlan Plan(params int[][] references) =>
        new([.. references.Select((r, id) => new PlannedProject(id, $"/src/p{id}/p{id}.csproj", "net10.0", [], r))], []);
}
