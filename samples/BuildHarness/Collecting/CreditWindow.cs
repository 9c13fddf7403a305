using System.Threading;

namespace BuildHarness.Collecting;

/// <summary>The worker's side of the window: what it may still send. Granted on the receive loop, taken by one sender, whose thread waits:
/// a worker that builds has nothing else to do on it.</summary>
internal sealed class CreditWindow
{
    private readonly object _gate = new();
    private long _credit;
    private bool _waits;

    /// <summary>Gets a value indicating whether the sender waits for credit.</summary>
    public bool Waits
    {
        get
        {
            lock (_gate)
            {
                return _waits;
            }
        }
    }

    public void Add(int bytes)
    {
        lock (_gate)
        {
            _credit += bytes;
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Takes credit, and waits for it if there is not enough.</summary>
    /// <exception cref="System.OperationCanceledException">Cancelled before there was.</exception>
    public void Take(int bytes, CancellationToken cancellation)
    {
        if (TryTake(bytes))
        {
            return;
        }

        // Outside of the lock, which its callback takes: to end the registration is to wait for that.
        using CancellationTokenRegistration wakes = cancellation.Register(static window => ((CreditWindow)window!).Add(0), this);
        lock (_gate)
        {
            _waits = true;
            while (_credit < bytes && !cancellation.IsCancellationRequested)
            {
                Monitor.Wait(_gate);
            }

            _waits = false;
            cancellation.ThrowIfCancellationRequested();
            _credit -= bytes;
        }
    }

    private bool TryTake(int bytes)
    {
        lock (_gate)
        {
            bool has = _credit >= bytes;
            _credit -= has ? bytes : 0;
            return has;
        }
    }
}
