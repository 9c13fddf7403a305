using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace BuildHarness;

/// <summary>Ctrl+C and SIGTERM: the first asks everything to end, the second ends the process at once.</summary>
internal sealed class Interrupt : IDisposable
{
    private readonly CancellationTokenSource _asked = new();
    private readonly PosixSignalRegistration _int;
    private readonly PosixSignalRegistration _term;
    private int _exitCode;
    private Action? _atOnce;

    public Interrupt()
    {
        _int = PosixSignalRegistration.Create(PosixSignal.SIGINT, context => On(context, ExitCodes.Interrupted));
        _term = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context => On(context, ExitCodes.Terminated));
    }

    /// <summary>Gets the token that the first signal cancels.</summary>
    public CancellationToken Token => _asked.Token;

    /// <summary>Gets the exit code that the first signal asks for, or null.</summary>
    public int? ExitCode => Volatile.Read(ref _exitCode) is var code and not 0 ? code : null;

    /// <summary>Gets or sets what the second signal does before the process ends: must not wait.</summary>
    public Action? AtOnce
    {
        get => Volatile.Read(ref _atOnce);
        set => Volatile.Write(ref _atOnce, value);
    }

    public void Dispose()
    {
        _int.Dispose();
        _term.Dispose();
        _asked.Dispose();
    }

    private void On(PosixSignalContext context, int exitCode)
    {
        context.Cancel = true;
        if (Interlocked.CompareExchange(ref _exitCode, exitCode, 0) == 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static asked => asked.Cancel(), _asked, preferLocal: false);
            return;
        }

        AtOnce?.Invoke();
        Environment.Exit(exitCode);
    }
}
