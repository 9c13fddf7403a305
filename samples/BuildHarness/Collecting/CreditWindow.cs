using System.Threading;
using System.Threading.Tasks;

namespace BuildHarness.Collecting;

/// <summary>The worker's side of the window: what it may still send. Granted on the receive loop, taken by one sender.</summary>
internal sealed class CreditWindow
{
    private readonly Lock _gate = new();
    private TaskCompletionSource? _more;
    private long _credit;

    public void Add(int bytes)
    {
        TaskCompletionSource? waiting;
        lock (_gate)
        {
            _credit += bytes;
            (waiting, _more) = (_more, null);
        }

        waiting?.SetResult();
    }

    /// <summary>Takes credit, and waits for it where there is not enough.</summary>
    /// <exception cref="System.OperationCanceledException">Cancelled before there was.</exception>
    public async ValueTask TakeAsync(int bytes, CancellationToken cancellation)
    {
        while (true)
        {
            Task more;
            lock (_gate)
            {
                if (_credit >= bytes)
                {
                    _credit -= bytes;
                    return;
                }

                _more ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                more = _more.Task;
            }

            await more.WaitAsync(cancellation).ConfigureAwait(false);
        }
    }
}
