using System.Collections.Generic;
using System.Threading.Tasks;

namespace Transport;

/// <summary>
/// Counts the workers that are just being started. The end of the main node waits for them, and refusals that come before such a worker
/// is in the list are kept for it.
/// </summary>
/// <remarks>
/// A worker may connect and be refused before the call that started it goes on. A refusal is noted here first and looked for in the list
/// then; a worker is put into the
/// list first and looks here then. So one of the two finds the other, whichever comes first; if both do, the worker takes it down once.
/// </remarks>
internal sealed class StartGate
{
    /// <summary>More than come while a few programs start; a flood of strangers must not fill the memory.</summary>
    private const int MaxKept = 64;

    private readonly object _gate = new();
    private readonly Queue<RefusedConnection> _refused = new();
    private TaskCompletionSource<bool>? _closed;
    private int _starting;

    /// <summary>A worker is to be started.</summary>
    /// <returns>False if the main node is being disposed.</returns>
    public bool TryEnter()
    {
        lock (_gate)
        {
            if (_closed is not null)
            {
                return false;
            }

            _starting++;
            return true;
        }
    }

    /// <summary>The start is over.</summary>
    /// <param name="worker">The worker, in the list by now; null if it was not started.</param>
    public void Leave(WorkerProcess? worker)
    {
        RefusedConnection[] refused;
        lock (_gate)
        {
            refused = worker is null ? [] : [.. _refused];
            if (--_starting == 0)
            {
                _refused.Clear();
                _closed?.TrySetResult(true);
            }
        }

        foreach (RefusedConnection connection in refused)
        {
            if (worker!.Owns(connection))
            {
                worker.Refused(connection.Code, connection.Message);
            }
        }
    }

    /// <summary>Keeps a refusal for the workers that are just being started.</summary>
    public void Note(RefusedConnection connection)
    {
        lock (_gate)
        {
            if (_starting > 0 && _refused.Count < MaxKept)
            {
                _refused.Enqueue(connection);
            }
        }
    }

    /// <summary>Lets no further worker be started.</summary>
    /// <returns>Completes when those that were being started are in the list.</returns>
    public Task CloseAsync()
    {
        lock (_gate)
        {
            _closed ??= new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            if (_starting == 0)
            {
                _closed.TrySetResult(true);
            }

            return _closed.Task;
        }
    }
}
