using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The requests of a pool: each waits for a worker that has a place for it, and is made once.</summary>
internal sealed class PoolRequests(IPoolLine pool, WorkerPoolOptions options)
{
    /// <summary>A wait for a worker from which on a request that was late says so.</summary>
    private static readonly TimeSpan Noticed = TimeSpan.FromTicks(TimeSpan.TicksPerMillisecond / 2);

    /// <summary>Refuses, whether there is a worker or not, what no link would take.</summary>
    public static void Check<TRequest>(PacketType<TRequest> requestType, TRequest request, PacketType responseType, Lane lane)
    {
        _ = ArgumentGuard.NotNull(requestType, nameof(requestType));
        _ = ArgumentGuard.NotNull(request, nameof(request));
        _ = ArgumentGuard.NotNull(responseType, nameof(responseType));
        _ = LinkSender.Choose(lane, lane);
    }

    /// <summary>Makes a request of one worker.</summary>
    /// <param name="ask">Asks that worker within what is left of the time.</param>
    /// <param name="timeout">The whole time; null: none.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <param name="hasBegun">Whether it was asked, whatever it threw; null: what it throws says so.</param>
    public async Task<T> AskAsync<T>(
        Func<PoolMember, TimeSpan?, Task<T>> ask, TimeSpan? timeout, CancellationToken cancellationToken, Func<bool>? hasBegun = null)
    {
        var deadline = new Deadline(options.TimeProvider, timeout ?? Timeout.InfiniteTimeSpan);
        for (bool isAgain = false; ; isAgain = true)
        {
            PoolMember member = await TakeAsync(deadline, isAgain, cancellationToken).ConfigureAwait(false) ?? throw pool.HasNone();
            TimeSpan left = deadline.Limit;
            try
            {
                left = deadline.Left;
                return await ask(member, left).ConfigureAwait(false);
            }
            catch (TransportException late) when (late.Fault == TransportFault.RequestTimeout && deadline.Limit - left >= Noticed)
            {
                throw WithWait(late, deadline.Limit, left);
            }
            catch (TransportException closing) when (closing.Code == Requests.NotAsked && hasBegun?.Invoke() != true)
            {
                // Its link began to close just when it was chosen: it was not asked, so another one is.
                pool.Leave(member);
            }
            finally
            {
                pool.Release(member);
            }
        }
    }

    /// <summary>Makes a request for a stream of one worker, which has it until the stream is over.</summary>
    /// <param name="ask">Asks that worker within what is left of the time.</param>
    /// <param name="timeout">The whole time; null: none.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <param name="ofEnumeration">Gives up too.</param>
    public async IAsyncEnumerable<TItem> AskEachAsync<TItem>(
        Func<PoolMember, TimeSpan?, CancellationToken, IAsyncEnumerable<TItem>> ask, TimeSpan? timeout,
        CancellationToken cancellationToken, [EnumeratorCancellation] CancellationToken ofEnumeration = default)
    {
        using CancellationTokenSource? both = cancellationToken.CanBeCanceled && ofEnumeration.CanBeCanceled
            ? CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, ofEnumeration) : null;
        CancellationToken token = both?.Token ?? (ofEnumeration.CanBeCanceled ? ofEnumeration : cancellationToken);
        var deadline = new Deadline(options.TimeProvider, timeout ?? Timeout.InfiniteTimeSpan);
        for (bool isAgain = false; ; isAgain = true)
        {
            PoolMember member = await TakeAsync(deadline, isAgain, token).ConfigureAwait(false) ?? throw pool.HasNone();
            using var place = new Place(pool, member);
            TimeSpan left = deadline.Left;
            using Delay? end = left == Timeout.InfiniteTimeSpan && !token.CanBeCanceled ? null : new Delay(options.TimeProvider, left, token);
            place.EndWith(end);
            IAsyncEnumerator<TItem> items = ask(member, left, token).GetAsyncEnumerator(CancellationToken.None);
            await using (items.ConfigureAwait(false))
            {
                if (await BeginsAsync(items, deadline.Limit, left).ConfigureAwait(false) is not { } more)
                {
                    pool.Leave(member);
                    continue;
                }

                for (; more; more = await NextAsync(items, deadline.Limit, left).ConfigureAwait(false))
                {
                    yield return items.Current;
                }

                yield break;
            }
        }
    }

    /// <returns>Whether there is an item; null: its link began to close just when it was chosen, so another one is asked.</returns>
    private static async Task<bool?> BeginsAsync<TItem>(IAsyncEnumerator<TItem> items, TimeSpan limit, TimeSpan left)
    {
        try
        {
            return await NextAsync(items, limit, left).ConfigureAwait(false);
        }
        catch (TransportException closing) when (closing.Code == Requests.NotAsked)
        {
            return null;
        }
    }

    private static async Task<bool> NextAsync<TItem>(IAsyncEnumerator<TItem> items, TimeSpan limit, TimeSpan left)
    {
        try
        {
            return await items.MoveNextAsync().ConfigureAwait(false);
        }
        catch (TransportException late) when (late.Fault == TransportFault.RequestTimeout && limit - left >= Noticed)
        {
            throw WithWait(late, limit, left);
        }
    }

    /// <summary>A stream's place at its worker: given back when the reader ends, and before that when the stream's time is over or it is given
    /// up, for then the worker has it no more.</summary>
    private sealed class Place(IPoolLine pool, PoolMember member) : IDisposable
    {
        private int _isReleased;   // by Interlocked: the first of several ends

        public void EndWith(Delay? end) => _ = end?.Task.ContinueWith(
            _ => Dispose(), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _isReleased, 1) == 0)
            {
                pool.Release(member);
            }
        }
    }

    private static TransportException WithWait(TransportException late, TimeSpan limit, TimeSpan left) => new(
        TransportFault.RequestTimeout,
        FormattableString.Invariant($"{late.Message} Of its {limit.TotalSeconds:0.###} s it had waited for a worker ")
            + FormattableString.Invariant($"{(limit - left).TotalSeconds:0.###} s."),
        late);

    /// <summary>Waits for a worker that has a place for a request, first come, first served.</summary>
    /// <returns>The worker; null if there is none and will be none.</returns>
    private async Task<PoolMember?> TakeAsync(Deadline deadline, bool isNext, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        PoolWaiter waiter = pool.Enter(isNext);
        if (!await Delay.InTimeAsync(waiter.Task, options.TimeProvider, deadline.Left, cancellationToken).ConfigureAwait(false)
            && pool.TryLeave(waiter))
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw Late(deadline);
        }

        return await waiter.Task.ConfigureAwait(false);   // perhaps served just before it was late
    }

    private TransportException Late(Deadline deadline) => new(TransportFault.RequestTimeout, pool.WhyNone() is { } why
        ? FormattableString.Invariant($"No worker of the pool was connected within {deadline.Limit.TotalSeconds:0.###} s: {why}.")
        : FormattableString.Invariant($"No worker of the pool had a place for a request within {deadline.Limit.TotalSeconds:0.###} s: each ")
            + FormattableString.Invariant($"has {options.MaxRequestsPerWorker} ({nameof(WorkerPoolOptions.MaxRequestsPerWorker)})."));
}
