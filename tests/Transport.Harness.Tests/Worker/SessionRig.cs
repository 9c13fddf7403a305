using System;
using System.Collections.Concurrent;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Packets;
using BuildHarness.Worker;
using Transport.MSBuild;
using Transport.Testing.Wires;

namespace BuildHarness.Tests.Worker;

/// <summary>A session whose main node is the test.</summary>
internal sealed class SessionRig : ISessionEvents, IDisposable
{
    private readonly Action<BuildEvent> _take;
    private readonly string _home = Environment.CurrentDirectory;
    private readonly ConcurrentDictionary<int, TaskCompletionSource<ProjectBuilt>> _built = new();
    private int _last;

    public SessionRig(Action<BuildEvent> take, WantedEvents wanted, StartSession? start = null)
    {
        _take = take;
        Session = new BuildSession(this, wanted, TimeProvider.System);
        Session.Begin(start ?? new StartSession());
    }

    public BuildSession Session { get; }

    /// <summary>Gets or sets what answers questions; by default each is built by this session.</summary>
    public Func<ProjectWork, Task<WorkResult>>? Answers { get; set; }

    public ConcurrentQueue<ProjectWork> Asked { get; } = new();

    public ConcurrentQueue<ProjectEvaluated> Evaluated { get; } = new();

    public ConcurrentQueue<ProjectStandsStill> Still { get; } = new();

    public ProjectBuilt Build(ProjectWork work, bool isEntry = false) =>
        BuildAsync(work, isEntry).Within("the build").GetAwaiter().GetResult();

    public Task<ProjectBuilt> BuildAsync(ProjectWork work, bool isEntry = false)
    {
        int id = Interlocked.Increment(ref _last);
        var built = new TaskCompletionSource<ProjectBuilt>(TaskCreationOptions.RunContinuationsAsynchronously);
        _built[id] = built;
        Session.Build(new BuildProject(id, work, isEntry));
        return built.Task;
    }

    public void Dispose()
    {
        Session.Dispose();
        Environment.CurrentDirectory = _home;
    }

    void ISessionEvents.Send(BuildEvent one) => _take(one);

    void ISessionEvents.Evaluated(ProjectEvaluated project) => Evaluated.Enqueue(project);

    void ISessionEvents.Ask(AskProject question)
    {
        for (int i = 0; i < question.Work.Count; i++)
        {
            (int id, ProjectWork work) = (question.Id + i, question.Work[i]);
            Asked.Enqueue(work);
            _ = Task.Run(async () =>
            {
                WorkResult result = Answers is { } answer ? await answer(work) : (await BuildAsync(work)).Result;
                Session.Questions.Answer(new AnswerProject(id, result));
            });
        }
    }

    void ISessionEvents.Built(ProjectBuilt result) => _built[result.Id].TrySetResult(result);

    void ISessionEvents.StandsStill(ProjectStandsStill request) => Still.Enqueue(request);
}
