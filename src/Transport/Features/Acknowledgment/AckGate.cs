using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Stands between "handled" and "acknowledged" if packets are kept: a number passes once the store says that it is safe. One
/// question at a time; numbers that come meanwhile go with the next.</summary>
/// <remarks>Safe from any thread. It allocates nothing for an Ack. Neither the store nor the link is called under its lock.</remarks>
internal sealed class AckGate : IAckGate
{
    private readonly object _lock = new();
    private readonly IPacketStore _store;
    private readonly Action<long> _pass;
    private readonly Action<Exception> _failed;
    private readonly CancellationToken _ended;
    private readonly Action _goOn;
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _answer;
    private TaskCompletionSource<bool>? _settled;
    private long _wanted;
    private long _asked;   // of the thread that is busy
    private long _safe;    // written by the one thread that is busy; read by all: a count by itself
    private bool _busy;
    private bool _broken;

    /// <param name="store">Who keeps the packets.</param>
    /// <param name="pass">Takes the number that may be acknowledged; it only rises.</param>
    /// <param name="failed">Called once, when nothing more will pass.</param>
    /// <param name="ended">Given to the store: cancelled when nobody waits for it any more.</param>
    public AckGate(IPacketStore store, Action<long> pass, Action<Exception> failed, CancellationToken ended = default)
    {
        _store = store;
        _pass = pass;
        _failed = failed;
        _ended = ended;
        _goOn = GoOn;
    }

    /// <inheritdoc/>
    public long Safe => Volatile.Read(ref _safe);

    /// <inheritdoc/>
    public void Ask(long handled)
    {
        lock (_lock)
        {
            _wanted = Math.Max(_wanted, handled);
            if (_busy || _broken || _wanted <= _safe)
            {
                return;
            }

            _busy = true;
            _asked = _wanted;
        }

        Run();
    }

    /// <inheritdoc/>
    public Task<bool> SettleAsync(long handled)
    {
        Ask(handled);
        lock (_lock)
        {
            return _busy ? (_settled ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task : Task.FromResult(!_broken);
        }
    }

    private void GoOn()
    {
        if (Finish(_answer))
        {
            Run();
        }
    }

    private void Run()
    {
        ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter answer;
        do
        {
            try
            {
                answer = _store.FlushAsync(_ended).ConfigureAwait(false).GetAwaiter();
            }
            catch (Exception e)
            {
                Fail(e);
                return;
            }

            if (!answer.IsCompleted)
            {
                _answer = answer;
                answer.UnsafeOnCompleted(_goOn);
                return;
            }
        }
        while (Finish(answer));
    }

    /// <returns>Whether to ask again.</returns>
    private bool Finish(ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter answer)
    {
        try
        {
            answer.GetResult();
            Volatile.Write(ref _safe, _asked);
            _pass(_asked);
        }
        catch (Exception e)
        {
            // Of the store, or of the link that cannot queue its Ack: on a thread of the store's it would end the process.
            Fail(e);
            return false;
        }

        lock (_lock)
        {
            if (_wanted > _asked)
            {
                _asked = _wanted;
                return true;
            }

            _busy = false;
            _settled?.TrySetResult(true);
            _settled = null;
            return false;
        }
    }

    private void Fail(Exception e)
    {
        lock (_lock)
        {
            _broken = true;
            _busy = false;
            _settled?.TrySetResult(false);
            _settled = null;
        }

        _failed(e);
    }
}
