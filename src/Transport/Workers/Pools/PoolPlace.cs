using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Keeps one place of a pool filled: starts one worker after the other until none is to follow.</summary>
/// <param name="pool">The pool.</param>
/// <param name="start">Starts a worker; what it throws counts as a worker that has exited.</param>
/// <param name="options">The pool's options.</param>
/// <param name="stopping">Cancelled when the pool stops.</param>
internal sealed class PoolPlace(IPoolPlaces pool, Func<WorkerProcess> start, WorkerPoolOptions options, CancellationToken stopping)
{
    /// <summary>Runs until the place is not filled any more. Never throws.</summary>
    public async Task RunAsync()
    {
        try
        {
            await RefillAsync().ConfigureAwait(false);
        }
#pragma warning disable CA1031 // the clock is the caller's: what it throws ends this place, and is the pool's last problem
        catch (Exception e)
#pragma warning restore CA1031
        {
            pool.Note(ExceptionText.Brief(e));
        }
    }

    private async Task RefillAsync()
    {
        TimeSpan backoff = options.MinBackoff;
        while (true)
        {
            long begun = options.TimeProvider.GetTimestamp();
            (WorkerProcess? worker, WorkerExit? exit, string? problem) = await RunWorkerAsync().ConfigureAwait(false);
            bool again = pool.MayRestart(worker, exit);
            bool isFresh = worker is { IsStopAsked: true } || options.TimeProvider.GetElapsedTime(begun) > options.MaxBackoff;
            backoff = isFresh ? options.MinBackoff : backoff;
            if (problem is not null)
            {
                PoolCalls.Guard(() => options.OnStartFailed?.Invoke(problem, again ? backoff : null));
            }

            if (!again)
            {
                return;
            }

            using (var delay = new Delay(options.TimeProvider, backoff, stopping))
            {
                await delay.Task.ConfigureAwait(false);
            }

            backoff = TimeSpan.FromTicks(Math.Min(Math.Max(backoff.Ticks, 1) * 2, options.MaxBackoff.Ticks));
        }
    }

    /// <summary>Runs one worker from start to exit.</summary>
    /// <returns>The worker and its exit, or why it could not be started; neither if the pool stops.</returns>
    private async Task<(WorkerProcess? Worker, WorkerExit? Exit, string? Problem)> RunWorkerAsync()
    {
        WorkerProcess worker;
        try
        {
            if (stopping.IsCancellationRequested)
            {
                return default;
            }

            worker = start();
        }
#pragma warning disable CA1031 // the caller's function: what it throws is the pool's last problem, and the place is tried again
        catch (Exception e)
#pragma warning restore CA1031
        {
            string problem = ExceptionText.MessageOf(e);
            pool.Note(problem);
            return (null, null, problem);
        }

        Task<WorkerExit> exiting = pool.TryJoin(worker) ? worker.WaitForExitAsync() : worker.StopAsync("the pool ends");
        var over = new CancellationTokenSource();
        using (stopping.Register(() => PoolCalls.Cancel(over)))
        {
            // Only the exit is waited for: OnConnected may take no notice of its token, which is good for as long as the worker runs.
            _ = MakeReadyAsync(worker, over.Token);
            WorkerExit exit = await exiting.ConfigureAwait(false);
            pool.Leave(worker, exit);
            PoolCalls.Cancel(over);
            PoolCalls.Guard(() => options.OnExited?.Invoke(exit));
            return (worker, exit, null);
        }
    }

    /// <summary>Makes a worker ready once it is connected, and offers it to those who wait.</summary>
    private async Task MakeReadyAsync(WorkerProcess worker, CancellationToken over)
    {
        try
        {
            Link link = await worker.WaitForLinkAsync(over).ConfigureAwait(false);
            if (options.OnConnected is { } onConnected)
            {
                await onConnected(link, over).ConfigureAwait(false);
            }

            pool.Offer(new PoolMember(worker, link));
        }
        catch (OperationCanceledException) when (over.IsCancellationRequested)
        {
            // It exits, or the pool stops.
        }
#pragma warning disable CA1031 // the caller's function too: the worker is not ready, and the place is tried again
        catch (Exception e)
#pragma warning restore CA1031
        {
            string problem = ExceptionText.MessageOf(e);
            pool.Note(problem);
            _ = worker.Kill($"it could not be made ready: {problem}");
        }
    }
}

/// <summary>What a place needs of its pool. Any thread.</summary>
internal interface IPoolPlaces
{
    /// <summary>Notes a worker that was started.</summary>
    /// <returns>False: the pool stops, and has not seen it.</returns>
    bool TryJoin(WorkerProcess worker);

    /// <summary>Lets a connected worker take requests and packets, unless it has exited.</summary>
    void Offer(PoolMember member);

    /// <summary>Notes a worker's exit.</summary>
    void Leave(WorkerProcess worker, WorkerExit exit);

    /// <summary>Decides whether a place is filled again, and counts that.</summary>
    /// <param name="worker">Who was there; null: none could be started.</param>
    /// <param name="exit">How it exited; null: none could be started.</param>
    bool MayRestart(WorkerProcess? worker, WorkerExit? exit);

    /// <summary>Notes what went wrong last.</summary>
    void Note(string problem);
}
