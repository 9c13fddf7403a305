using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Transport.Terminal;

/// <summary>
/// Ctrl+C, SIGTERM and a closed terminal: the first asks everything to end, a second Ctrl+C or SIGTERM ends the process at once. What has
/// not ended in time after the first is ended as by a second: whatever hangs (a terminal that is stopped, a stderr that nobody reads, a
/// disk that is gone), the process does not. What is ignored when the process starts (nohup) stays so.
/// </summary>
public sealed class Interrupt : IDisposable
{
    /// <summary>The promise is 5 s.</summary>
    private static readonly TimeSpan MostTime = TimeSpan.FromSeconds(4.5);

    // Never disposed: a signal may be on its way while everything ends, and there is nothing in them to give back.
#pragma warning disable CA2213
    private readonly CancellationTokenSource _asked = new();
    private readonly ManualResetEventSlim _over = new();
#pragma warning restore CA2213
    private readonly PosixSignalRegistration[] _signals;
    private readonly Lock _gate = new();
    private int? _exitCode;     // all below: under the lock
    private int _orders;
    private bool _isEnding;
    private Action? _atOnce, _lastWords;

    /// <summary>Initializes a new instance of the <see cref="Interrupt"/> class: from now on signals are this object's. One a
    /// process.</summary>
    public Interrupt()
    {
        _signals =
        [
            PosixSignalRegistration.Create(PosixSignal.SIGINT, context => On(context, ToolExitCodes.Interrupted)),
            PosixSignalRegistration.Create(PosixSignal.SIGTERM, context => On(context, ToolExitCodes.Terminated)),
            PosixSignalRegistration.Create(PosixSignal.SIGHUP, context => On(context, ToolExitCodes.HungUp)),
        ];
    }

    /// <summary>Gets the token that the first signal cancels.</summary>
    public CancellationToken Token => _asked.Token;

    /// <summary>Gets the exit code that the first signal asks for, or null: <see cref="ToolExitCodes.HungUp"/> if there is no terminal any
    /// more to write to.</summary>
    public int? ExitCode
    {
        get
        {
            lock (_gate)
            {
                return _exitCode;
            }
        }
    }

    /// <summary>Gets or sets what kills the workers before the process ends at once: must not wait.</summary>
    public Action? AtOnce
    {
        get
        {
            lock (_gate)
            {
                return _atOnce;
            }
        }

        set
        {
            lock (_gate)
            {
                _atOnce = value;
            }
        }
    }

    /// <summary>Gets or sets what writes the summary before the process ends at once.</summary>
    public Action? LastWords
    {
        get
        {
            lock (_gate)
            {
                return _lastWords;
            }
        }

        set
        {
            lock (_gate)
            {
                _lastWords = value;
            }
        }
    }

    /// <summary>Gives the signals back. Never throws.</summary>
    public void Dispose()
    {
        _over.Set();
        foreach (PosixSignalRegistration signal in _signals)
        {
            signal.Dispose();
        }
    }

    private void On(PosixSignalContext context, int exitCode)
    {
        context.Cancel = true;

        // Nobody is impatient who closes a terminal, though the signal comes two and three times: from the kernel, from the shell, and at
        // the end of a session behind a SIGTERM.
        bool isFirst, isSecondOrder;
        lock (_gate)
        {
            _orders += exitCode == ToolExitCodes.HungUp ? 0 : 1;
            isSecondOrder = exitCode != ToolExitCodes.HungUp && _orders > 1;
            isFirst = _exitCode is null;
            _exitCode ??= exitCode;
        }

        if (!isFirst)
        {
            if (isSecondOrder)
            {
                EndAtOnce(exitCode);
            }

            return;
        }

        // Threads of their own: those of the pool may all hang in what this is to end.
        new Thread(Watch) { IsBackground = true, Name = "interrupt watch" }.Start();
        new Thread(() => Try(_asked.Cancel)) { IsBackground = true, Name = "interrupt" }.Start();
    }

    /// <summary>Runs a step of the end. One that fails must not keep the process from ending as it was asked to.</summary>
    private static void Try(Action? step)
    {
        try
        {
            step?.Invoke();
        }
#pragma warning disable CA1031 // the watch ends the process all the same
        catch (Exception)
#pragma warning restore CA1031
        {
            // A callback of the token has failed; nothing can be done about it here.
        }
    }

    private void Watch()
    {
        if (!_over.Wait(MostTime))
        {
            EndAtOnce(ExitCode!.Value);
        }
    }

    private void EndAtOnce(int exitCode)
    {
        lock (_gate)
        {
            if (_isEnding)
            {
                return;
            }

            _isEnding = true;
        }

        // Not here, where it might hang in its turn.
        var last = new Thread(() =>
        {
            Try(AtOnce);
            Try(LastWords);
        }) { IsBackground = true, Name = "interrupt end" };
        last.Start();
        last.Join(TimeSpan.FromMilliseconds(300));
        Environment.Exit(exitCode);
    }
}
