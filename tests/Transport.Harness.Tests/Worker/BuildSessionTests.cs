using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using BuildHarness.Packets;
using BuildHarness.Worker;
using NUnit.Framework;
using Transport;
using Transport.MSBuild;
using Transport.Testing;

namespace BuildHarness.Tests.Worker;

[TestFixture]
[NonParallelizable] // MSBuild changes the process's current folder
internal sealed class BuildSessionTests
{
    private static readonly LevelRules Trace = new(PacketLevel.Trace);
    private static readonly LevelRules Warnings = new(WantedEvents.LevelOf(BuildVerbosity.Minimal));

    private static WantedEvents Everything => new(static () => Trace);

    [Test]
    public void To_be_stopped_after_the_last_project_is_no_cancelled_build()
    {
        using var folder = new TemporaryFolder();
        var events = new ConcurrentQueue<BuildEvent>();
        var project = new ProjectWork(folder.File("a.proj", "<Project><Target Name=\"T\" /></Project>"), [], []);
        ProjectBuilt first, second;
        using (var session = new SessionRig(events.Enqueue, Everything))
        {
            first = session.Build(project);
            session.Session.Cancel();
            second = session.Build(project);
        }

        Assert.That(first.Result.Succeeded);
        Assert.That(second.Result.Succeeded, Is.False, "nothing begins after the stop");
        Assert.That(events.Count(e => e.Kind == BuildEventKind.ProjectStarted), Is.EqualTo(1));
        Assert.That(events.Select(e => e.Kind), Has.None.EqualTo(BuildEventKind.BuildCanceled));
    }

    [Test]
    public void What_nobody_takes_is_counted_and_what_is_wrong_comes_always()
    {
        using var folder = new TemporaryFolder();
        string path = folder.File("a.proj", """
            <Project>
              <Target Name="T">
                <Message Text="low" Importance="low" /><Message Text="high" Importance="high" /><Warning Code="W1" Text="w" />
              </Target>
            </Project>
            """);
        BuildEvent[] all = Build(path, Everything, out long noneLeft);
        var wanted = new WantedEvents(static () => Warnings);
        BuildEvent[] some = Build(path, wanted, out long left);

        Assert.That(noneLeft, Is.Zero);
        Assert.That(some.Select(e => e.Kind), Is.EqualTo(new[] { BuildEventKind.ProjectStarted, BuildEventKind.Warning }));
        Assert.That(some[1].Message, Is.EqualTo("w"));
        Assert.That(wanted.LeftOut, Is.EqualTo(all.Length - some.Length), "taken and left out are all");
        Assert.That(left, Is.EqualTo(wanted.LeftOut - 1), "the session's end comes after its last result");
    }

    [Test]
    public void What_the_main_node_takes_may_change_in_the_middle_of_a_build()
    {
        using var folder = new TemporaryFolder();
        string path = folder.File("a.proj", """
            <Project>
              <Target Name="T"><Warning Text="1" /><Message Text="A" /><Warning Text="2" /><Message Text="B" /><Warning Text="3" />
                <Message Text="C" /></Target>
            </Project>
            """);
        LevelRules rules = Warnings;
        var wanted = new WantedEvents(() => rules);
        var messages = new List<string?>();
        using (var session = new SessionRig(Take, wanted))
        {
            Assert.That(session.Build(new ProjectWork(path, [], [])).Result.Succeeded);
        }

        Assert.That(messages, Is.EqualTo(new[] { "1", "2", "B", "3" }));
        Assert.That(wanted.LeftOut, Is.GreaterThan(0));

        void Take(BuildEvent one)
        {
            if (one.Kind is BuildEventKind.Warning or BuildEventKind.Message && one.Message is { Length: 1 })
            {
                messages.Add(one.Message);
                rules = one.Message == "2" ? Trace : one.Message == "3" ? Warnings : rules;
            }
        }
    }

    private static BuildEvent[] Build(string path, WantedEvents wanted, out long left)
    {
        var events = new ConcurrentQueue<BuildEvent>();
        using (var session = new SessionRig(events.Enqueue, wanted))
        {
            left = session.Build(new ProjectWork(path, [], [])).LeftOut;
        }

        return [.. events];
    }
}
