using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace BuildHarness;

/// <summary>
/// Ctrl+C, SIGTERM and a closed terminal: the first asks everything to end, a second Ctrl+C or SIGTERM ends the process at once. What has
/// not ended in time after the first is ended as by a second: whatever hangs (a terminal that is stopped, a stderr that nobody reads, a
/// disk that is gone), the process does not. What is ignored when the process starts (nohup) stays so.
/// </summary>
internal sealed class Interrupt : IDisposable
{
    /// <summary>The promise is 5 s.</summary>
    private static readonly TimeSpan MostTime = TimeSpan.FromSeconds(4.5);

    // Never disposed: a signal may be on its way while everything ends, and there is nothing in them to give back.
#pragma warning disable CA2213
    private readonly CancellationTokenSource _asked = new();
    private readonly ManualResetEventSlim _over = new();
#pragma warning restore CA2213
    private readonly PosixSignalRegistration[] _signals;
    private int _exitCode;
    private int _orders;
    private int _ending;
    private Action? _atOnce;

    public Interrupt()
    {
        _signals =
        [
            PosixSignalRegistration.Create(PosixSignal.SIGINT, context => On(context, ExitCodes.Interrupted)),
            PosixSignalRegistration.Create(PosixSignal.SIGTERM, context => On(context, ExitCodes.Terminated)),
            PosixSignalRegistration.Create(PosixSignal.SIGHUP, context => On(context, ExitCodes.HungUp)),
        ];
    }

    /// <summary>Gets the token that the first signal cancels.</summary>
    public CancellationToken Token => _asked.Token;

    /// <summary>Gets the exit code that the first signal asks for, or null: <see cref="ExitCodes.HungUp"/> if there is no terminal any
    /// more to write to.</summary>
    public int? ExitCode => Volatile.Read(ref _exitCode) is var code and not 0 ? code : null;

    /// <summary>Gets or sets what kills the workers before the process ends at once: must not wait.</summary>
    public Action? AtOnce
    {
        get => Volatile.Read(ref _atOnce);
        set => Volatile.Write(ref _atOnce, value);
    }

    /// <summary>Gets or sets what writes the summary before the process ends at once.</summary>
    public Action? LastWords { get; set; }

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
        bool isOrder = exitCode != ExitCodes.HungUp && Interlocked.Increment(ref _orders) > 1;
        if (Interlocked.CompareExchange(ref _exitCode, exitCode, 0) != 0)
        {
            if (isOrder)
            {
                EndAtOnce(exitCode);
            }

            return;
        }

        // Threads of their own: those of the pool may all hang in what this is to end.
        new Thread(Watch) { IsBackground = true, Name = "interrupt watch" }.Start();
        new Thread(_asked.Cancel) { IsBackground = true, Name = "interrupt" }.Start();
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
        if (Interlocked.Exchange(ref _ending, 1) != 0)
        {
            return;
        }

        // Not here, where it might hang in its turn.
        var last = new Thread(() =>
        {
            AtOnce?.Invoke();
            LastWords?.Invoke();
        }) { IsBackground = true, Name = "interrupt end" };
        last.Start();
        last.Join(TimeSpan.FromMilliseconds(300));
        Environment.Exit(exitCode);
    }
}
