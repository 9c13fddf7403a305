using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using BuildHarness.Packets;

namespace BuildHarness.Tests.Scheduling;

/// <summary>A worker as MSBuild is one: of its requests one goes on at a time; one waits for answers, or for a target of the same project
/// that another has begun.</summary>
/// <param name="world">The script.</param>
/// <param name="name">Its name.</param>
/// <param name="runs">Notes each target that runs, and where.</param>
internal sealed class PlayedWorker(World world, string name, List<(string Node, int Project, int Target)> runs)
{
    private readonly List<Request> _requests = [];
    private readonly Dictionary<(int Project, int Target), bool> _done = [];
    private readonly Dictionary<(int Project, int Target), Request> _begun = [];
    private int _lastQuestion;

    public string Name => name;

    /// <summary>Gets how many steps it has played.</summary>
    public long Steps { get; private set; }

    public Dictionary<int, int> Watched { get; } = [];

    public static ProjectWork Write((int Project, int Target) one) => new(
        one.Project.ToString(CultureInfo.InvariantCulture), [], [one.Target.ToString(CultureInfo.InvariantCulture)]);

    public void Give(int id, ProjectWork work)
    {
        var request = new Request(id, int.Parse(work.Path, CultureInfo.InvariantCulture));
        request.Stack.Push(new Frame(int.Parse(work.Targets[0], CultureInfo.InvariantCulture)));
        _requests.Add(request);
    }

    public void Answer(int question, WorkResult result)
    {
        Request request = _requests.Single(one => one.Questions.Remove(question));
        request.AllSucceeded &= result.Succeeded;
    }

    /// <summary>Returns a request that is watched and waits for a target of another; or null.</summary>
    public int? Still() => _requests.Find(one => Watched.ContainsKey(one.Id) && one.Questions.Count == 0 && !CanGo(one))?.Id;

    /// <summary>Lets a request go on by one step.</summary>
    /// <returns>What it asks or has done; null: none can go on.</returns>
    public IReadOnlyList<object>? Play(Random random)
    {
        Request[] ready = [.. _requests.Where(CanGo)];
        return ready.Length == 0 ? null : Play(ready[random.Next(ready.Length)]);
    }

    private bool CanGo(Request request)
    {
        (int, int) one = (request.Project, request.Stack.Peek().Target);
        return request.Questions.Count == 0
            && (!_begun.TryGetValue(one, out Request? other) || other == request || _done.ContainsKey(one));
    }

    private List<object> Play(Request request)
    {
        Steps++;
        Frame frame = request.Stack.Peek();
        (int, int) one = (request.Project, frame.Target);
        List<World.Step> steps = world.Steps[request.Project, frame.Target];
        if (_done.TryGetValue(one, out bool known))
        {
            return Leave(request, known);
        }

        if (_begun.TryAdd(one, request))
        {
            runs.Add((name, request.Project, frame.Target));
        }

        if (!request.AllSucceeded)
        {
            request.AllSucceeded = true;
            if (!steps[frame.Next - 1].GoesOn)
            {
                return End(request, one, succeeded: false);
            }
        }

        if (frame.Next == steps.Count)
        {
            return End(request, one, !world.Broken.Contains(one));
        }

        World.Step step = steps[frame.Next++];
        if (step.IsOwn)
        {
            request.Stack.Push(new Frame(step.Wanted[0].Target));
            return [];
        }

        int first = _lastQuestion + 1;
        foreach ((int, int) wanted in step.Wanted)
        {
            request.Questions.Add(++_lastQuestion);
        }

        return [new AskProject(first, request.Id, [.. step.Wanted.Select(Write)])];
    }

    private List<object> End(Request request, (int, int) one, bool succeeded)
    {
        _done[one] = succeeded;
        _begun.Remove(one);
        return Leave(request, succeeded);
    }

    private List<object> Leave(Request request, bool succeeded)
    {
        request.Stack.Pop();
        if (request.Stack.Count > 0)
        {
            request.AllSucceeded = succeeded;
            return [];
        }

        _requests.Remove(request);
        return [new ProjectBuilt(request.Id, new WorkResult(succeeded, []), Error: null)];
    }

    private sealed class Request(int id, int project)
    {
        public int Id => id;

        public int Project => project;

        public Stack<Frame> Stack { get; } = [];

        public HashSet<int> Questions { get; } = [];

        public bool AllSucceeded { get; set; } = true;
    }

    private sealed class Frame(int target)
    {
        public int Target => target;

        public int Next { get; set; }
    }
}
