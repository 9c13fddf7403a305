using System.Collections.Concurrent;
using System.Linq;
using BuildHarness.Packets;
using BuildHarness.Worker;
using NUnit.Framework;
using Transport.MSBuild;
using Transport.Testing;

namespace BuildHarness.Tests.Worker;

[TestFixture]
internal sealed class BuildSessionTests
{
    [Test]
    public void To_be_stopped_after_the_last_project_is_no_cancelled_build()
    {
        using var folder = new TemporaryFolder();
        var events = new ConcurrentQueue<BuildEvent>();
        var project = new BuildProject(7, folder.File("a.proj", "<Project><Target Name=\"T\" /></Project>"), []);
        ProjectBuilt first, second;
        using (var session = new BuildSession(events.Enqueue))
        {
            first = session.Build(project).Report;
            session.Cancel();
            second = session.Build(project).Report;
        }

        Assert.That(first.Succeeded);
        Assert.That(second.Succeeded, Is.False, "nothing begins after the stop");
        Assert.That(events.Count(e => e.Kind == BuildEventKind.ProjectStarted), Is.EqualTo(1));
        Assert.That(events.Select(e => e.Kind), Has.None.EqualTo(BuildEventKind.BuildCanceled));
    }
}
