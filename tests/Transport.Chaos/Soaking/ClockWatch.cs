using System;
using System.Diagnostics;
using System.Threading;

namespace Transport.Chaos.Soaking;

/// <summary>A thread that does nothing but wait for a millisecond and look how late it is: delays of packets are to be read beside its
/// own.</summary>
internal sealed class ClockWatch : IDisposable
{
    private readonly ManualResetEventSlim _stop = new();
    private readonly Thread _thread;
    private long _worst;

    public ClockWatch()
    {
        _thread = new Thread(Look) { IsBackground = true, Name = "clock watch" };
        _thread.Start();
    }

    /// <summary>Gets the worst so far.</summary>
    public double WorstMs => Volatile.Read(ref _worst) * 1000.0 / Stopwatch.Frequency;

    public void Dispose()
    {
        _stop.Set();
        _thread.Join();
        _stop.Dispose();
    }

    private void Look()
    {
        long before = Stopwatch.GetTimestamp();
        while (!_stop.Wait(1))
        {
            long now = Stopwatch.GetTimestamp();
            Volatile.Write(ref _worst, Math.Max(_worst, now - before));
            before = now;
        }
    }
}
