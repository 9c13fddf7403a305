using System.Collections.Concurrent;
using System.Linq;
using BuildHarness.Events;
using BuildHarness.Packets;
using BuildHarness.Tests.Processes;
using BuildHarness.Worker;
using NUnit.Framework;

namespace BuildHarness.Tests.Worker;

[TestFixture]
internal sealed class BuildSessionTests
{
    [Test]
    public void To_be_stopped_after_the_last_project_is_no_cancelled_build()
    {
        using var folder = new TempFolder();
        var events = new ConcurrentQueue<BuildEvent>();
        var project = new BuildProject(7, folder.File("a.proj", "<Project><Target Name=\"T\" /></Project>"), []);
        ProjectBuilt first, second;
        using (var session = new BuildSession(events.Enqueue))
        {
            first = session.Build(project);
            session.Cancel();
            second = session.Build(project);
        }

        Assert.That(first.Succeeded);
        Assert.That(second.Succeeded, Is.False, "nothing begins after the stop");
        Assert.That(events.Count(e => e.Kind == EventKind.ProjectStarted), Is.EqualTo(1));
        Assert.That(events.Select(e => e.Kind), Has.None.EqualTo(EventKind.BuildCanceled));
    }
}
