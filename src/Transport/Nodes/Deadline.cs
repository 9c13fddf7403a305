using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Nodes;

/// <summary>A point in time of a given clock that can be awaited beside other things.</summary>
internal sealed class Deadline : IDisposable
{
    private readonly TaskCompletionSource<bool> _passed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ITimer _timer;

    public Deadline(TimeProvider clock, TimeSpan after) =>
        _timer = clock.CreateTimer(static passed => ((TaskCompletionSource<bool>)passed!).TrySetResult(true), _passed, after, Timeout.InfiniteTimeSpan);

    public Task Passed => _passed.Task;

    public void Dispose() => _timer.Dispose();
}
