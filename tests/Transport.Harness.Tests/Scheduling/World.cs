using System;
using System.Collections.Generic;
using System.Linq;

namespace BuildHarness.Tests.Scheduling;

/// <summary>Projects whose targets want targets of others, as a script; and what a build of them must come to, worked out without a schedule:
/// every target once, by recursion.</summary>
internal sealed class World
{
    private World(List<Step>[,] steps, HashSet<(int Project, int Target)> broken) => (Steps, Broken) = (steps, broken);

    /// <summary>Gets what each target of each project does, in order.</summary>
    public List<Step>[,] Steps { get; }

    /// <summary>Gets the targets that fail at their end.</summary>
    public HashSet<(int Project, int Target)> Broken { get; }

    /// <summary>Makes one. Without circles a target wants only of later projects, and of its own project only later targets.</summary>
    public static World Random(Random random, bool circles)
    {
        int projects = random.Next(2, 9), targets = random.Next(1, 4);
        var steps = new List<Step>[projects, targets];
        var broken = new HashSet<(int, int)>();
        for (int project = 0; project < projects; project++)
        {
            for (int target = 0; target < targets; target++)
            {
                steps[project, target] = [];
                for (int i = random.Next(0, 4); i > 0; i--)
                {
                    steps[project, target].Add(
                        random.Next(4) == 0 && target + 1 < targets ? new Step([(project, random.Next(target + 1, targets))], IsOwn: true, false)
                        : Others(circles && random.Next(3) == 0 ? 0 : project + 1));
                }

                if (random.Next(12) == 0)
                {
                    broken.Add((project, target));
                }
            }
        }

        return new World(steps, broken);

        Step Others(int first) => new(
            [.. Enumerable.Range(0, random.Next(1, 4)).Where(_ => first < projects).Select(_ => (random.Next(first, projects), random.Next(targets)))],
            IsOwn: false, GoesOn: random.Next(3) == 0);
    }

    /// <summary>What comes of a target, and which are run for it; for a world without circles.</summary>
    public bool Build((int Project, int Target) one, Dictionary<(int, int), bool> done)
    {
        if (done.TryGetValue(one, out bool known))
        {
            return known;
        }

        foreach (Step step in Steps[one.Project, one.Target])
        {
            // All of a step are wanted at once, so one that fails keeps no other from being built.
            bool succeeded = step.Wanted.Select(wanted => Build(wanted, done)).ToArray().All(result => result);
            if (!succeeded && !step.GoesOn)
            {
                return done[one] = false;
            }
        }

        return done[one] = !Broken.Contains(one);
    }

    /// <summary>A part of a target.</summary>
    /// <param name="Wanted">What it wants, all at once.</param>
    /// <param name="IsOwn">It wants a target of its own project, which MSBuild runs itself.</param>
    /// <param name="GoesOn">It goes on if that fails.</param>
    internal sealed record Step(IReadOnlyList<(int Project, int Target)> Wanted, bool IsOwn, bool GoesOn);
}
