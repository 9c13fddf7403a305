using System;
using System.Threading;
using Transport.Fuzz.Targets;

namespace Transport.Fuzz.Running;

/// <summary>Ends the program if one input takes too long: a hang is a failure too, and its input is kept.</summary>
internal sealed class Watchdog : IDisposable
{
    private const int LimitSeconds = 30;
    private readonly ManualResetEvent _over = new(false);
    private readonly CrashFiles _crashes;
    private (FuzzTarget Target, byte[] Input)? _current;
    private long _number;

    public Watchdog(CrashFiles crashes)
    {
        _crashes = crashes;
        new Thread(Watch) { IsBackground = true, Name = "watchdog" }.Start();
    }

    public void Begin(FuzzTarget target, byte[] input)
    {
        lock (_over)
        {
            _current = (target, input);
            _number++;
        }
    }

    public void Dispose()
    {
        _over.Set();
    }

    private void Watch()
    {
        (long number, int seconds) = (0, 0);
        while (!_over.WaitOne(1000))
        {
            lock (_over)
            {
                (number, seconds) = (_number, _number == number ? seconds + 1 : 0);
                if (seconds >= LimitSeconds && _current is { } hung)
                {
                    _crashes.Keep(hung.Target, hung.Input, new TimeoutException($"took more than {LimitSeconds} s"), shorten: false);
                    Environment.Exit(1);
                }
            }
        }
    }
}
