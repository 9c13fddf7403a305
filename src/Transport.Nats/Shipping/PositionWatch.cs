using System;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.KeyValueStore;

namespace Transport.Nats;

/// <summary>What the receiver says of one journal, as it changes. <see cref="Current"/> from any thread.</summary>
internal sealed class PositionWatch : IAsyncDisposable
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);

    private readonly CancellationTokenSource _ended = new();
    private readonly Lock _gate = new();
    private readonly Task _watching;
    private readonly Signal _changed = new();
    private ReceivedPosition _current;   // under the lock

    private PositionWatch(INatsKVStore positions, string key, ReceivedPosition first, TimeProvider clock)
    {
        _current = first;
        _watching = WatchAsync(positions, key, clock);
    }

    /// <summary>Gets what it said last; zeros before it has said anything.</summary>
    public ReceivedPosition Current
    {
        get
        {
            lock (_gate)
            {
                return _current;
            }
        }
    }

    /// <summary>Gets a task that completes when <see cref="Current"/> has changed after this was read.</summary>
    public Task Changed => _changed.Next;

    /// <summary>Reads what the receiver said, and watches it from then on.</summary>
    /// <exception cref="NatsException">The server did not answer.</exception>
    public static async Task<PositionWatch> StartAsync(
        INatsKVStore positions, string machine, Guid journal, TimeProvider clock, CancellationToken cancellationToken)
    {
        string key = $"{machine}.{Words.Of(journal)}";
        NatsResult<NatsKVEntry<string>> entry = await positions.TryGetEntryAsync<string>(key, cancellationToken: cancellationToken)
            .ConfigureAwait(false);
        ReceivedPosition first = default;
        if (entry.Success)
        {
            _ = ReceivedPosition.TryParse(entry.Value.Value, out first);
        }
        else if (entry.Error is not (NatsKVKeyNotFoundException or NatsKVKeyDeletedException))
        {
            throw new NatsException("The bucket of positions did not answer", entry.Error);
        }

        return new PositionWatch(positions, key, first, clock);
    }

    /// <summary>Ends the watch.</summary>
    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        await _watching.ConfigureAwait(false);
        _ended.Dispose();
    }

    private async Task WatchAsync(INatsKVStore positions, string key, TimeProvider clock)
    {
        while (!_ended.IsCancellationRequested)
        {
            try
            {
                await foreach (NatsKVEntry<string> entry in positions.WatchAsync<string>(key, cancellationToken: _ended.Token)
                    .ConfigureAwait(false))
                {
                    if (ReceivedPosition.TryParse(entry.Value, out ReceivedPosition now))
                    {
                        Take(now);
                    }
                }
            }
            catch (OperationCanceledException) when (_ended.IsCancellationRequested)
            {
                return;
            }
            catch (Exception e) when (e is NatsException or TimeoutException or OperationCanceledException)
            {
                // The server is away; sending says so. The watch begins anew.
            }

            await Task.Delay(Pause, clock, _ended.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private void Take(ReceivedPosition now)
    {
        lock (_gate)
        {
            _current = now;
        }

        _changed.Raise();
    }
}
