using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Packets;
using NUnit.Framework;
using Transport.MSBuild;

namespace BuildHarness.Tests.Building;

/// <summary>What a worker that has died and the one that builds once more both report.</summary>
[TestFixture]
internal sealed class DiagnosticLedgerTests
{
    [Test]
    public void A_project_has_its_warning_once_for_each_framework_and_configuration()
    {
        var ledger = new DiagnosticLedger();
        ledger.Evaluated(Project("net10.0"));
        ledger.Evaluated(Project("net472"));
        ledger.Begin("n1", Started(instance: 1, "net10.0"));
        ledger.Begin("n1", Started(instance: 2, "net472"));
        ledger.Begin("n2", Started(instance: 7, "net10.0"));
        ledger.Begin("n2", Started(instance: 9, "net10.0", ("BuildProjectReferences", "false")));
        ledger.Begin("n2", Started(instance: 8, "net10.0", ("Configuration", "Release")));

        Assert.Multiple(() =>
        {
            Assert.That(Count("n1", 1), Is.True);
            Assert.That(Count("n1", 2), Is.True, "another framework");
            ledger.Ended("n1");
            Assert.That(Count("n2", 7), Is.False, "the worker that has died has said so");
            Assert.That(Count("n2", 8), Is.True, "another configuration");
            Assert.That(Count("n2", 9), Is.True, "what packing asks for is an instance of its own");
            Assert.That(ledger.Framework("n2", Warning(7)), Is.EqualTo("net10.0"));
            Assert.That(ledger.Framework("n1", Warning(2)), Is.EqualTo("net472"));
            Assert.That(ledger.Framework("n1", Warning(10)), Is.Empty, "a project that nobody has begun");
        });

        bool Count(string node, int instance) => ledger.Count(node, Warning(instance), "text");
    }

    [Test]
    public void A_project_that_is_built_once_more_repeats_only_what_its_lost_worker_had_not_reported()
    {
        var ledger = new DiagnosticLedger();
        ledger.Begin("n1", Started(instance: 1, "net10.0"));
        ledger.Begin("n2", Started(instance: 1, "net10.0"));

        bool[] lost = [.. ((string[])["a", "b", "b"]).Select(text => ledger.Count("n1", Warning(1), text))];
        ledger.Ended("n1");
        bool[] again = [.. ((string[])["a", "b", "b", "b", "c"]).Select(text => ledger.Count("n2", Warning(1), text))];

        Assert.That(lost, Is.All.True, "also the same text twice");
        Assert.That(again, Is.EqualTo(new[] { false, false, false, true, true }));
    }

    [Test]
    public async Task What_living_workers_report_counts_whatever_others_have_reported()
    {
        const int Nodes = 4, Texts = 500;
        var ledger = new DiagnosticLedger();
        int[] counted = await Task.WhenAll(Enumerable.Range(1, Nodes).Select(node => Task.Run(() =>
            Enumerable.Range(0, Texts).Count(text => ledger.Count($"n{node}", Warning(node), $"text {text}")))));
        Assert.That(counted, Is.All.EqualTo(Texts), "evaluations have no project instance yet");
    }

    private static ProjectEvaluated Project(string framework) => new("/a/a.csproj", framework, IsInner: true, string.Empty, string.Empty);

    private static BuildEvent Started(int instance, string framework, params (string Name, string Value)[] more)
    {
        var properties = new BuildEventMap([new("TargetFramework", framework),
            .. more.Select(one => KeyValuePair.Create<string, string?>(one.Name, one.Value))]);
        object?[] fields = [.. BuildEvent.FieldNames(BuildEventKind.ProjectStarted).Select(name => (object?)(name switch
        {
            "ProjectFile" => "/a/a.csproj",
            "GlobalProperties" => properties,
            _ => null,
        }))];
        return new BuildEvent { Kind = BuildEventKind.ProjectStarted, Context = Context(instance), Fields = fields };
    }

    private static BuildEvent Warning(int instance)
    {
        object?[] fields = new object?[BuildEvent.FieldNames(BuildEventKind.Warning).Count];
        return new BuildEvent { Kind = BuildEventKind.Warning, Context = Context(instance), Fields = fields };
    }

    private static BuildEventIds Context(int instance) => new() { ProjectInstance = instance, ProjectContext = instance };
}
