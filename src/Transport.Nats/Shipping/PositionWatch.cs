using System;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.KeyValueStore;

namespace Transport.Nats;

/// <summary>What the receiver says of one journal, as it changes. <see cref="Current"/> from any thread.</summary>
/// <remarks>A watch is a consumer in the server's memory. When the server has lost it the client makes another, but only once heartbeats
/// are missing. So while the receiver has something to say and the watch is silent, the key is read too.</remarks>
internal sealed class PositionWatch : IAsyncDisposable
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200), Silence = TimeSpan.FromSeconds(2);

    private readonly INatsKVStore _positions;
    private readonly string _key;
    private readonly TimeProvider _clock;
    private readonly CancellationTokenSource _ended = new();
    private readonly Lock _gate = new();
    private readonly Task _watching;
    private readonly Task _looking;
    private readonly Signal _changed = new();
    private ReceivedPosition _current;   // under the lock

    private PositionWatch(INatsKVStore positions, string key, ReceivedPosition first, Func<bool> isExpected, TimeProvider clock)
    {
        (_positions, _key, _current, _clock) = (positions, key, first, clock);
        (_watching, _looking) = (WatchAsync(), LookAsync(isExpected));
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
    /// <param name="positions">The bucket.</param>
    /// <param name="key">The journal's key.</param>
    /// <param name="isExpected">Whether the receiver has something to say. From any thread.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Ends the first reading.</param>
    /// <exception cref="NatsException">The server did not answer.</exception>
    public static async Task<PositionWatch> StartAsync(
        INatsKVStore positions, string key, Func<bool> isExpected, TimeProvider clock, CancellationToken cancellationToken)
    {
        _ = ReceivedPosition.TryParse(
            await ReadAsync(positions, key, cancellationToken).ConfigureAwait(false), out ReceivedPosition first);
        return new PositionWatch(positions, key, first, isExpected, clock);
    }

    /// <summary>Reads how many positions up to the current one the receiver never got, as it says.</summary>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="NatsException">The server did not answer.</exception>
    public async Task<long> ReadMissedAsync(CancellationToken cancellationToken) => long.TryParse(
        await ReadAsync(_positions, ReceivedPosition.MissedKey(_key), cancellationToken).ConfigureAwait(false),
        NumberStyles.None, CultureInfo.InvariantCulture, out long missed) ? missed : 0;

    /// <summary>Ends the watch.</summary>
    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        await _watching.ConfigureAwait(false);
        await _looking.ConfigureAwait(false);
        _ended.Dispose();
    }

    private static async Task<string?> ReadAsync(INatsKVStore positions, string key, CancellationToken cancellationToken)
    {
        NatsResult<NatsKVEntry<string>> entry = await positions.TryGetEntryAsync<string>(key, cancellationToken: cancellationToken)
            .ConfigureAwait(false);
        return entry.Success ? entry.Value.Value
            : entry.Error is NatsKVKeyNotFoundException or NatsKVKeyDeletedException ? null
            : throw new NatsException("The bucket of positions did not answer", entry.Error);
    }

    private async Task WatchAsync()
    {
        while (!_ended.IsCancellationRequested)
        {
            try
            {
                await foreach (NatsKVEntry<string> entry in _positions.WatchAsync<string>(_key, cancellationToken: _ended.Token)
                    .ConfigureAwait(false))
                {
                    Take(entry.Value);
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

            await Task.Delay(Pause, _clock, _ended.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async Task LookAsync(Func<bool> isExpected)
    {
        while (!_ended.IsCancellationRequested)
        {
            Task changed = Changed;
            await Task.Delay(Silence, _clock, _ended.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (_ended.IsCancellationRequested || changed.IsCompleted || !isExpected())
            {
                continue;
            }

            try
            {
                Take(await ReadAsync(_positions, _key, _ended.Token).ConfigureAwait(false), changed);
            }
            catch (Exception e) when (e is NatsException or TimeoutException or OperationCanceledException or ObjectDisposedException)
            {
                // The server is away, or this has ended. It is looked at again.
            }
        }
    }

    /// <param name="text">What was said.</param>
    /// <param name="changed">If it was read: what completes when something newer is said meanwhile.</param>
    private void Take(string? text, Task? changed = null)
    {
        if (!ReceivedPosition.TryParse(text, out ReceivedPosition now))
        {
            return;
        }

        lock (_gate)
        {
            if (changed is { IsCompleted: true } || now == _current)
            {
                return;
            }

            _current = now;
            _changed.Raise();   // runs nobody's code here
        }
    }
}
