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
            TimeSpan left = deadline.Left;
            try
            {
                return await ask(member, left).ConfigureAwait(false);
            }
            catch (TransportException late) when (late.Fault == TransportFault.RequestTimeout && deadline.Limit - left >= Noticed)
            {
                throw WithWait(late, deadline.Limit, left);
            }
            catch (TransportException closing) when (closing.Code == Requests.NotAsked && hasBegun?.Invoke() != true)
            {
                // Its link began to close just when it was chosen: it was not asked, so another one is.
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
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, ofEnumeration);
        var deadline = new Deadline(options.TimeProvider, timeout ?? Timeout.InfiniteTimeSpan);
        for (bool isAgain = false; ; isAgain = true)
        {
            PoolMember member = await TakeAsync(deadline, isAgain, both.Token).ConfigureAwait(false) ?? throw pool.HasNone();
            TimeSpan left = deadline.Left;
            try
            {
                IAsyncEnumerator<TItem> items = ask(member, left, both.Token).GetAsyncEnumerator(CancellationToken.None);
                await using (items.ConfigureAwait(false))
                {
                    if (await BeginsAsync(items, deadline.Limit, left).ConfigureAwait(false) is not { } more)
                    {
                        continue;
                    }

                    for (; more; more = await NextAsync(items, deadline.Limit, left).ConfigureAwait(false))
                    {
                        yield return items.Current;
                    }

                    yield break;
                }
            }
            finally
            {
                pool.Release(member);
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
