namespace Transport;

/// <summary>How a pool of workers stands at one moment. Immutable.</summary>
/// <param name="Size">The workers that there should be.</param>
/// <param name="Running">The processes that run, connected or not.</param>
/// <param name="Connected">The workers that take requests and packets.</param>
/// <param name="Waiting">The pool's requests that wait for a response.</param>
/// <param name="Restarts">The workers that were started in place of another.</param>
/// <param name="HasGivenUp">Whether <see cref="WorkerPoolOptions.MaxRestarts"/> was reached: no worker is started any more.</param>
/// <param name="LastExit">How the last worker that exited did; null: none has.</param>
/// <param name="LastProblem">What went wrong last, for people: why a worker could not be started or made ready, or how it exited; null:
/// nothing has, or the last exit was clean.</param>
public sealed record WorkerPoolStatus(
    int Size, int Running, int Connected, int Waiting, long Restarts, bool HasGivenUp, WorkerExit? LastExit, string? LastProblem);
