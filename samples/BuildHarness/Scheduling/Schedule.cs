using System;
using System.Collections.Generic;
using System.Linq;
using BuildHarness.Building;
using BuildHarness.Packets;

namespace BuildHarness.Scheduling;

/// <summary>
/// Who builds what: MSBuild decides in the workers what is wanted of which project, and asks for it here. Each configuration belongs to one
/// worker; what two ask for is built once, and what is known is answered at once. Knows nothing of processes: its caller reports what
/// happened, and does the moves that come of it. One thread.
/// </summary>
/// <remarks>
/// <para>A worker can be given several requests: it builds one, and the others wait for answers. Requests of a configuration that it has go
/// to it at once, since nobody else can build them. Something new is given only to a worker of whose requests none could be built. What
/// would probably wait at once is not begun while anything else can be, since it could then be built by that worker alone; of the rest
/// questions come first, then what most others wait for (<see cref="Forecast"/>).</para>
/// <para>Within a worker a request also waits, unseen from here, for a target that another request of the same configuration has begun. So
/// a request does not keep its worker from something new if a request of the same configuration there waits for an answer. If all that
/// could go on is behind another so, it may be that they wait for each other in a circle: their workers are asked to watch, and once all of
/// them say that they stand still, one is answered as failed.</para>
/// </remarks>
internal sealed class Schedule
{
    /// <summary>As many projects a worker may have begun that wait for answers to questions: while one waits for a worker that is busy, the
    /// other can go on. With more, others would have nothing left to begin.</summary>
    private const int MostBegun = 2;

    /// <summary>How often a worker may die while it builds a configuration and nothing else, and beside others: there it may be that another
    /// one is to blame.</summary>
    private const int MostLosses = 2, MostLossesBesideOthers = 5;

    private readonly Configurations _configurations = new();
    private readonly Dictionary<int, ScheduledRequest> _open = [];
    private readonly SortedDictionary<string, List<ScheduledRequest>> _nodes = new(StringComparer.Ordinal);   // what each was given
    private readonly List<ScheduledRequest> _waiting = [];   // for a worker
    private readonly List<ScheduleMove> _moves = [];
    private readonly Forecast _forecast;
    private readonly Standstill _standstill = new();
    private int _lastRequest;
    private long _errors;
    private bool _isStopped, _failsForErrors;

    /// <param name="referencesOf">Returns the full paths of the projects to which a project file probably refers; null: nothing is
    /// known.</param>
    /// <param name="failsForErrors">The user makes errors of warnings: then any error that is logged fails the build.</param>
    public Schedule(Func<string, IReadOnlyList<string>>? referencesOf = null, bool failsForErrors = false) =>
        (_forecast, _failsForErrors) = (new Forecast(referencesOf ?? (static _ => [])), failsForErrors);

    /// <summary>Gets what came of the entry, or null before.</summary>
    public WorkResult? Result { get; private set; }

    /// <summary>Gets the configurations that a user counts as projects.</summary>
    public IEnumerable<Configuration> Projects => _configurations.All.Where(one => one.IsProject);

    /// <summary>Gets a value indicating whether everything that was asked for was built.</summary>
    public bool Succeeded => Result is { Succeeded: true } && !(_failsForErrors && _errors > 0);

    /// <summary>Gets how many questions were of what was known or being built.</summary>
    public long Repeated { get; private set; }

    /// <summary>Gets how many requests wait for a worker.</summary>
    public int Waiting => _waiting.Count;

    /// <summary>Begins: the whole build is one request.</summary>
    public IReadOnlyList<ScheduleMove> Begin(ProjectWork work)
    {
        _ = Add(work, _configurations.Of(work), new Asker(Parent: null, 0), depth: 0);
        return Moves();
    }

    /// <summary>A worker is ready.</summary>
    public IReadOnlyList<ScheduleMove> Ready(string node)
    {
        _nodes.Add(node, []);
        return Moves();
    }

    /// <summary>A worker asks.</summary>
    /// <returns>Null: it has no such request, and must not be believed any more.</returns>
    public IReadOnlyList<ScheduleMove>? Asked(string node, AskProject question)
    {
        if (!_open.TryGetValue(question.Request, out ScheduledRequest? parent) || parent.Node != node)
        {
            return null;
        }

        for (int i = 0; i < question.Work.Count; i++)
        {
            Ask(parent, question.Id + i, question.Work[i]);
        }

        return Moves();
    }

    /// <summary>A worker has evaluated a project: from then on it is named by its framework.</summary>
    public void Evaluated(ProjectEvaluated project)
    {
        _failsForErrors |= project.FailsForErrors;
        foreach (Configuration one in _configurations.All.Where(one => one.Path == project.Path && one.Framework.Length == 0))
        {
            one.NamedFramework = project.IsInner ? string.Empty : project.Framework;
        }
    }

    /// <summary>A worker has done a request.</summary>
    /// <returns>Null: it has no such request, and must not be believed any more.</returns>
    public IReadOnlyList<ScheduleMove>? Built(string node, ProjectBuilt built)
    {
        if (!_open.TryGetValue(built.Id, out ScheduledRequest? request) || request.Node != node)
        {
            return null;
        }

        _errors += built.Errors;
        request.Configuration.Project ??= built.Project;
        WorkResult result = request.IsGivenUp ? WorkResult.Failed : built.Result;
        Configuration? because = result.Succeeded || built.Errors > 0 || request.FailedFor == request.Configuration ? null : request.FailedFor;
        Settle(request, result, result.Succeeded ? ProjectState.Succeeded : _isStopped ? ProjectState.Stopped
            : because is not null ? ProjectState.Skipped : ProjectState.Failed, because);
        return Moves();
    }

    /// <summary>A request that was watched stands still in its worker.</summary>
    /// <param name="node">The worker.</param>
    /// <param name="id">The request.</param>
    /// <param name="round">When the worker was asked to watch it.</param>
    /// <param name="events">How many events its worker has had.</param>
    public IReadOnlyList<ScheduleMove> StandsStill(string node, int id, int round, long events)
    {
        if (!_open.TryGetValue(id, out ScheduledRequest? request) || request.Node != node)
        {
            return [];   // it has ended meanwhile
        }

        ScheduledRequest[] running = [.. Running()];
        _moves.AddRange(_standstill.Take(request, round, events, running, out bool isProven));
        if (!isProven)
        {
            return TakeMoves();
        }

        // It goes on in its worker once the other has ended, but whoever waits for it gets no more than this.
        ScheduledRequest victim = running.MaxBy(one => one.Depth)!;
        victim.IsGivenUp = true;
        _moves.Add(new ScheduleMove.Circle(victim, _nodes[victim.Node!].First(other => IsAhead(other, victim))));
        Tell(victim, WorkResult.Failed);
        return Moves();
    }

    /// <summary>A worker has ended. What it had is given out once more, but for what it was on for the second time.</summary>
    public IReadOnlyList<ScheduleMove> Ended(string node)
    {
        if (!_nodes.Remove(node, out List<ScheduledRequest>? had))
        {
            return [];
        }

        foreach (ScheduledRequest request in had)
        {
            // Its questions died with it; what they asked for is built all the same, since it will ask again.
            foreach (ScheduledRequest wanted in request.WaitsFor.Keys)
            {
                wanted.Askers.RemoveAll(asker => asker.Parent == request);
            }
        }

        foreach (Configuration one in _configurations.All.Where(one => one.Node == node))
        {
            one.Node = null;
        }

        // Who asked for it asks again, if it still wants it.
        foreach (ScheduledRequest vain in _waiting.Where(one => one.Askers.Count == 0).ToArray())
        {
            _waiting.Remove(vain);
            Close(vain);
        }

        var suspects = had.Where(one => one.IsRunning && !one.IsGivenUp).Select(one => one.Configuration).ToHashSet();
        int most = suspects.Count > 1 ? MostLossesBesideOthers : MostLosses;
        foreach (Configuration one in suspects)
        {
            one.Losses++;
        }

        foreach (ScheduledRequest request in had)
        {
            bool wasRunning = request.IsRunning && !request.IsGivenUp;
            request.Node = null;
            request.WaitsFor.Clear();
            if (request.IsGivenUp)
            {
                Close(request);
                continue;
            }

            bool willRetry = !_isStopped && (!wasRunning || request.Configuration.Losses < most);
            if (wasRunning)
            {
                _moves.Add(new ScheduleMove.Lost(request, willRetry));
            }

            if (!willRetry)
            {
                Settle(request, WorkResult.Failed, _isStopped ? ProjectState.Stopped : ProjectState.Failed, because: null);
            }
            else
            {
                Close(request);
                if (request.Askers.Count > 0)
                {
                    Open(request);
                }
            }
        }

        return Moves();
    }

    /// <summary>Gives nothing out any more.</summary>
    public void Stop() => _isStopped = true;   // what fails from now on was stopped

    /// <summary>Notes that nothing more is heard of what is open.</summary>
    public void Finish()
    {
        foreach (Configuration one in Projects.Where(one => one.State is ProjectState.Waiting or ProjectState.Building))
        {
            one.State = one.State == ProjectState.Waiting ? ProjectState.Skipped : ProjectState.Stopped;
        }
    }

    /// <summary>Returns what a worker is on, as far as can be seen: the last that it was given of those that wait for nothing; or
    /// null.</summary>
    public Configuration? Shown(string node) => _nodes.TryGetValue(node, out List<ScheduledRequest>? had)
        ? had.Where(one => one.IsRunning).Select(one => one.Configuration).LastOrDefault(one => one.IsProject) : null;

    /// <summary>Returns the requests that a worker has.</summary>
    public IReadOnlyList<ScheduledRequest> Of(string node) => _nodes.TryGetValue(node, out List<ScheduledRequest>? had) ? had : [];

    private void Ask(ScheduledRequest parent, int question, ProjectWork work)
    {
        Configuration wanted = _configurations.Of(work);
        string asked = Configuration.AskedBy(work);
        if (wanted.Known(asked) is { } known)
        {
            Repeated++;
            NoteFailure(parent, wanted, work, known);
            _moves.Add(new ScheduleMove.Answer(parent.Node!, parent, question, known));
        }
        else if (!wanted.Open.TryGetValue(asked, out ScheduledRequest? same))
        {
            Add(work, wanted, new Asker(parent, question), parent.Depth + 1);
        }
        else if (same == parent || same.Wants(parent))
        {
            Repeated++;
            _moves.Add(new ScheduleMove.Circle(same, parent));
            _moves.Add(new ScheduleMove.Answer(parent.Node!, parent, question, WorkResult.Failed));
        }
        else
        {
            Repeated++;
            Join(same, new Asker(parent, question));
        }
    }

    private ScheduledRequest Add(ProjectWork work, Configuration configuration, Asker asker, int depth)
    {
        var request = new ScheduledRequest(++_lastRequest, configuration, Configuration.AskedBy(work), work, depth);
        configuration.IsProject |= request.Builds && !SolutionPaths.IsPartOfSolution(work.Path);
        Join(request, asker);
        Open(request);
        return request;
    }

    private void Open(ScheduledRequest request)
    {
        _open.Add(request.Id, request);
        request.Configuration.Open.Add(request.Asked, request);
        _waiting.Add(request);
        if (request.Builds)
        {
            _forecast.Begin(request.Configuration.Path);
        }
    }

    private void Close(ScheduledRequest request)
    {
        _open.Remove(request.Id);
        Configuration one = request.Configuration;
        one.Open.Remove(request.Asked);
        if (one.State == ProjectState.Building && one.Open.Count == 0)
        {
            one.State = ProjectState.Waiting;   // unless something has come of it, it was not built
        }

        if (request.Builds)
        {
            _forecast.End(request.Configuration.Path);
        }
    }

    private static void Join(ScheduledRequest request, Asker asker)
    {
        request.Askers.Add(asker);
        if (asker.Parent is { } parent)
        {
            parent.WaitsFor[request] = parent.WaitsFor.GetValueOrDefault(request) + 1;
        }
    }

    private static void NoteFailure(ScheduledRequest parent, Configuration wanted, ProjectWork work, WorkResult result)
    {
        if (!result.Succeeded && Configuration.Builds(work))
        {
            parent.FailedFor ??= wanted;
        }
    }

    private void Settle(ScheduledRequest request, WorkResult result, ProjectState state, Configuration? because)
    {
        Configuration one = request.Configuration;
        Close(request);
        if (request.Node is { } node)
        {
            _nodes[node].Remove(request);
            request.Node = null;
        }

        if (!request.IsGivenUp)
        {
            Tell(request, result);
        }

        if (one.IsProject && request.Builds && Worse(one.State, state))
        {
            one.State = state;
            _moves.Add(new ScheduleMove.Settled(one, because));
        }
    }

    /// <summary>A project that has failed once has failed, whatever else of it succeeds.</summary>
    private static bool Worse(ProjectState before, ProjectState now) =>
        before is ProjectState.Waiting or ProjectState.Building || (before == ProjectState.Succeeded && now != ProjectState.Succeeded);

    private void Tell(ScheduledRequest request, WorkResult result)
    {
        request.Configuration.Know(request.Asked, result);
        foreach ((ScheduledRequest? parent, int question) in request.Askers)
        {
            if (parent is null)
            {
                Result = result;
                continue;
            }

            if (--parent.WaitsFor[request] == 0)
            {
                parent.WaitsFor.Remove(request);
            }

            NoteFailure(parent, request.Configuration, request.Work, result);
            if (parent.Node is { } node)
            {
                _moves.Add(new ScheduleMove.Answer(node, parent, question, result));
            }
        }

        request.Askers.Clear();
    }

    private ScheduleMove[] Moves()
    {
        if (!_isStopped)
        {
            GiveOut();
            Watch();
        }

        return TakeMoves();
    }

    private ScheduleMove[] TakeMoves()
    {
        ScheduleMove[] moves = [.. _moves];
        _moves.Clear();
        return moves;
    }

    private void GiveOut()
    {
        foreach (ScheduledRequest request in _waiting.ToArray())
        {
            if (IsPartInMemory(request))
            {
                request.Configuration.Node = request.Askers.Select(asker => asker.Parent?.Node).FirstOrDefault(node => node is not null);
            }

            if (request.Configuration.Node is { } node)
            {
                Give(request, node);
            }
        }

        foreach (string node in _nodes.Keys.ToArray())
        {
            while (TakesNew(node) && Next(node) is { } next)
            {
                Configuration one = next.Configuration;
                one.Node = node;
                foreach (ScheduledRequest request in _waiting.Where(other => other.Configuration == one).ToArray())
                {
                    Give(request, node);
                }
            }
        }
    }

    /// <summary>Returns the request that a worker is to begin with something new; null: none is to be begun now.</summary>
    private ScheduledRequest? Next(string node)
    {
        bool isQuiet = Running().All(IsBehindAnother), hasEnough = _nodes[node].Count(WillGoOn) >= MostBegun;
        return _waiting.Where(one => !IsPartInMemory(one))
            .Select(one => (Request: one, MayWait: one.Builds && !_forecast.IsReady(one.Configuration.Path)))
            .Where(one => isQuiet || !one.Request.Builds || (!hasEnough && !one.MayWait))
            .OrderBy(one => one.MayWait).ThenBy(one => one.Request.Builds)
            .ThenByDescending(one => _forecast.HeightOf(one.Request.Configuration.Path)).ThenByDescending(one => one.Request.Depth)
            .FirstOrDefault().Request;
    }

    /// <summary>Whether a request that builds waits for no more than answers to questions.</summary>
    private static bool WillGoOn(ScheduledRequest request) =>
        request.Builds && request.Configuration.IsProject && !request.WaitsFor.Keys.Any(wanted => wanted.Builds);

    /// <summary>What MSBuild has made of a part of a solution is in the memory of the worker that has the solution, and nobody else asks for
    /// it.</summary>
    private bool IsPartInMemory(ScheduledRequest request) => !request.IsEntry && SolutionPaths.IsPartOfSolution(request.Work.Path)
        && !SolutionPaths.IsSolution(request.Work.Path);

    private void Give(ScheduledRequest request, string node)
    {
        _waiting.Remove(request);
        request.Node = node;
        _nodes[node].Add(request);
        Configuration one = request.Configuration;
        if (one.IsProject && request.Builds)
        {
            one.State = one.State == ProjectState.Waiting ? ProjectState.Building : one.State;
            one.Attempts = one.Losses + 1;
        }

        _moves.Add(new ScheduleMove.Give(node, request));
    }

    private bool TakesNew(string node)
    {
        List<ScheduledRequest> had = _nodes[node];
        return had.TrueForAll(one => !one.IsRunning || IsBehindAnother(one));
    }

    /// <summary>Whether a request may wait for a target of another of its configuration.</summary>
    private bool IsBehindAnother(ScheduledRequest request) => _nodes[request.Node!].Exists(other => IsAhead(other, request));

    /// <summary>Whether a request waits for an answer, and may have begun a target that another one wants.</summary>
    private static bool IsAhead(ScheduledRequest other, ScheduledRequest request) =>
        other != request && other.Configuration == request.Configuration && other.WaitsFor.Count > 0;

    private IEnumerable<ScheduledRequest> Running() =>
        _nodes.Values.SelectMany(had => had).Where(one => one.IsRunning && !one.IsGivenUp);

    /// <summary>If all that could go on is behind another, their workers must say whether it does.</summary>
    private void Watch()
    {
        ScheduledRequest[] running = [.. Running()];
        _moves.AddRange(_standstill.Begin(_waiting.Count == 0 && Array.TrueForAll(running, IsBehindAnother) ? running : null));
    }
}
