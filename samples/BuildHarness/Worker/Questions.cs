using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Packets;

namespace BuildHarness.Worker;

/// <summary>What the tasks of a session ask the main node, and its answers. Safe from any thread; a task's own waits.</summary>
/// <param name="requestOf">Returns which request a submission of MSBuild's builds.</param>
/// <param name="send">Sends questions.</param>
internal sealed class Questions(Func<int, int> requestOf, Action<AskProject> send)
{
    /// <summary>The most characters of one packet: each project of a solution has a property that names all the others, and who keeps
    /// packets writes it out each time.</summary>
    private const int MostCharacters = 1 << 20;

    private readonly ConcurrentDictionary<int, TaskCompletionSource<WorkResult>> _open = new();
    private int _last;   // by Interlocked
    private int _isOver;   // by Volatile: set once

    /// <summary>Asks for all of it at once, and waits until all is built.</summary>
    /// <param name="submission">Whose question it is.</param>
    /// <param name="work">What is wanted.</param>
    /// <returns>A result of each; none was built if the session is over.</returns>
    public WorkResult[] Ask(int submission, IReadOnlyList<ProjectWork> work)
    {
        int request = requestOf(submission);
        if (request < 0 || Volatile.Read(ref _isOver) != 0)
        {
            return [.. work.Select(_ => WorkResult.Failed)];   // it was cancelled
        }

        int first = Interlocked.Add(ref _last, work.Count) - work.Count + 1;
        var answers = new Task<WorkResult>[work.Count];
        for (int i = 0; i < answers.Length; i++)
        {
            var answer = new TaskCompletionSource<WorkResult>(TaskCreationOptions.RunContinuationsAsynchronously);
            _open[first + i] = answer;
            answers[i] = answer.Task;
        }

        for (int from = 0, to; from < work.Count; from = to)
        {
            int characters = 0;
            for (to = from; to < work.Count && (to == from || characters + Characters(work[to]) <= MostCharacters); to++)
            {
                characters += Characters(work[to]);
            }

            send(new AskProject(first + from, request, [.. work.Skip(from).Take(to - from)]));
        }

        if (Volatile.Read(ref _isOver) != 0)
        {
            End();   // it has ended meanwhile, and may have missed these
        }

        return Task.WhenAll(answers).GetAwaiter().GetResult();
    }

    /// <summary>Takes an answer; one to no question is nobody's.</summary>
    public void Answer(AnswerProject answer)
    {
        if (_open.TryRemove(answer.Id, out TaskCompletionSource<WorkResult>? open))
        {
            open.TrySetResult(answer.Result);
        }
    }

    /// <summary>Lets nobody wait any more: no answer comes.</summary>
    public void End()
    {
        Volatile.Write(ref _isOver, 1);
        foreach ((int id, TaskCompletionSource<WorkResult> open) in _open)
        {
            _open.TryRemove(id, out _);
            open.TrySetResult(WorkResult.Failed);
        }
    }

    private static int Characters(ProjectWork work) => work.Path.Length + work.Properties.Sum(p => p.Key.Length + p.Value.Length);
}
