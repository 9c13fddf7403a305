using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.MSBuild;

namespace Transport.Tool.Tests.Builds;

/// <summary>Which rows of a timeline the projects of a node get.</summary>
internal sealed class TracksTests
{
    [Test]
    public async Task Projects_share_a_track_if_none_runs_while_another_does_and_there_are_no_more_than_run_at_once([Range(1, 5)] int seed)
    {
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var events = new List<(double At, BuildEvent Event)>();
        for (int id = 1; id <= 200; id++)
        {
            double start = random.Next(500), end = start + random.Next(60);
            events.Add((start, Samples.Project(id, start, $"/w/{id}.csproj")));
            events.Add((end + 0.5, Samples.ProjectEnd(id, end)));
        }

        using var build = new SmallBuild();
        BuildModel model = await Samples.ModelAsync(build.Folder, events.OrderBy(one => one.At).Select(one => one.Event));
        IReadOnlyList<int> tracks = model.Tracks();

        static bool Overlap(ProjectSpan one, ProjectSpan other) => one.Start < Until(other) && other.Start < Until(one);
        static long Until(ProjectSpan one) => Math.Max(one.End, one.Start + 1);
        Assert.That(model.Projects, Has.Count.EqualTo(200));
        Assert.That(
            from one in model.Projects
            from other in model.Projects
            where one.Number < other.Number && tracks[one.Number] == tracks[other.Number] && Overlap(one, other)
            select (one.Number, other.Number),
            Is.Empty);
        int most = model.Projects.Max(at => model.Projects.Count(one => one.Start <= at.Start && at.Start < Until(one)));
        Assert.That(tracks.Max() + 1, Is.EqualTo(most));
    }
}
