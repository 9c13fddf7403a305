using System.Threading;

namespace Transport.Journal.Appending;

/// <summary>A thread that waits in an append. Pooled: one is rented a wait.</summary>
internal sealed class ThreadWaiter : Waiter
{
    private bool _told;
    private bool _leads;

    /// <summary>Waits until told; true where this thread is to commit from now on.</summary>
    public bool Wait()
    {
        lock (this)
        {
            while (!_told)
            {
                Monitor.Wait(this);
            }

            _told = false;
            return _leads;
        }
    }

    public void Tell(bool leads)
    {
        lock (this)
        {
            (_told, _leads) = (true, leads);
            Monitor.Pulse(this);
        }
    }
}
