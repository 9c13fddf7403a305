using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Transport.Hosting;

/// <summary>Why a worker's host stops. One that stops because a service of it failed, or by a signal from elsewhere, is no success, however
/// orderly it stops. Safe from any thread.</summary>
/// <param name="services">The host's services.</param>
internal sealed class StopReasons(IServiceProvider services) : IDisposable
{
    /// <summary>The exit code of a worker's host of which a service failed: 70, EX_SOFTWARE of sysexits.h.</summary>
    private const int FailedExitCode = 70;

    private readonly object _gate = new();
    private readonly List<IDisposable> _signals = [];   // under the gate, as the next two
    private string? _signal;
    private int _signalCode;
    private bool _isAsked;

    /// <summary>Notes signals from now on. The host's own lifetime handles them as before.</summary>
    public void Watch()
    {
        lock (_gate)
        {
            _signals.AddRange(StopSignals.Watch(Came));
        }
    }

    /// <summary>Notes that the main node has asked this worker to stop, or has ended the link: what happens from now on follows from
    /// that.</summary>
    public void MainNodeAsked()
    {
        lock (_gate)
        {
            _isAsked = true;
        }
    }

    /// <summary>Returns the exit code and the reason if the host did not stop by its own success or for the main node; else null.</summary>
    public (int ExitCode, string Reason)? Failure()
    {
        BackgroundService? failed =
            services.GetServices<IHostedService>().OfType<BackgroundService>().FirstOrDefault(one => one.ExecuteTask is { IsFaulted: true });
        if (failed is not null)
        {
            Exception thrown = failed.ExecuteTask!.Exception!.InnerException!;
            return (FailedExitCode, $"{failed.GetType().Name} threw {ExceptionText.Brief(thrown)}");
        }

        lock (_gate)
        {
            return _signal is null || _isAsked ? null : (_signalCode, $"it was stopped by {_signal}");
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        IDisposable[] signals;
        lock (_gate)
        {
            signals = [.. _signals];
            _signals.Clear();
        }

        Array.ForEach(signals, static one => one.Dispose());   // waits for a callback that runs, which takes the lock
    }

    /// <summary>Notes a signal: the first counts, and none behind the main node's request.</summary>
    private void Came(string name, int code)
    {
        lock (_gate)
        {
            if (_signal is null && !_isAsked)
            {
                (_signal, _signalCode) = (name, code);
            }
        }
    }
}
