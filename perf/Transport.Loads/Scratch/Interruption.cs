using System;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;

namespace Transport.Loads.Scratch;

/// <summary>Ctrl-C and SIGTERM: ends the worker processes, removes what this process has put anywhere, and then the process itself, with
/// 130 or 143.</summary>
internal sealed class Interruption : IDisposable
{
    private const int MostLooks = 100;
    private const int Pause = 50;      // ms

    // ms: a signal goes to a whole group of processes, and a worker may be gone before this one hears of it
    private const int Late = 300;

    private readonly Leftovers _leftovers = new(ScratchPath.Parents);
    private readonly ManualResetEventSlim _begun = new();
    private readonly ManualResetEventSlim _never = new();
    private readonly PosixSignalRegistration[] _signals;
    private readonly Action<string> _say;
    private int _count;

    public Interruption(Action<string> say)
    {
        _say = say;
        _signals = [PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop), PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop)];
    }

    /// <summary>Called if something failed: does not return if that comes of a signal.</summary>
    public void WaitForTheEndIfStopped()
    {
        if (_begun.Wait(Late))
        {
            _never.Wait();
        }
    }

    public void Dispose()
    {
        Array.ForEach(_signals, s => s.Dispose());
        if (_begun.IsSet)
        {
            _never.Wait();   // the run is over by itself while it is being stopped: that ends the process
        }

        _begun.Dispose();
        _never.Dispose();
    }

    private void Stop(PosixSignalContext context)
    {
        context.Cancel = true;
        if (Interlocked.Increment(ref _count) > 1)
        {
            return;   // on its way
        }

        _begun.Set();
        _say("stopped; cleaning up");
        int quiet = 0;
        string[] left = [];
        int[] ended = [Environment.ProcessId];
        for (int i = 0; i < MostLooks && quiet < 2; i++)   // threads of this process may still be at work on what is being removed
        {
            ended = [.. ended.Union(Descendants.Kill(Environment.ProcessId))];
            left = [.. _leftovers.Remove(process => Array.IndexOf(ended, process) >= 0)];
            quiet = left.Length == 0 && Descendants.Of(Environment.ProcessId).Count == 0 ? quiet + 1 : 0;
            _never.Wait(Pause);
        }

        Array.ForEach(left, path => _say($"{path} could not be removed; the next run tries again."));
        Environment.Exit(context.Signal == PosixSignal.SIGINT ? 130 : 143);
    }
}
