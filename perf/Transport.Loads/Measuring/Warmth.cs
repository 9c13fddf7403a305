using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;

namespace Transport.Loads.Measuring;

/// <summary>Finds by trial rounds whether a column's code is what it will stay: .NET compiles again and again as it learns, Mono
/// once.</summary>
/// <remarks>
/// On a machine with other work the compiler's own thread waits long for its turn, and wall time says nothing: so it is CPU that counts, of
/// the process that has used less; then three rounds must agree in what a packet costs, and hardly anything may have been compiled in them.
/// </remarks>
/// <param name="cpuSeconds">CPU that each of the two processes must have used.</param>
/// <param name="apart">How much more the dearest of the last rounds may cost than the cheapest.</param>
internal sealed class Warmth(double cpuSeconds, double apart = Warmth.Apart)
{
    private const int Trials = 3;
    private const double Apart = 1.15;

    /// <summary>Methods that may be compiled in the last trials: timers and the like, once in a while.</summary>
    private const int MostCompiled = 5;

    private readonly Queue<Sample> _last = new();
    private double _sender;
    private double _receiver;

    /// <summary>Runs trial rounds until the code is warm, or the time for that is over.</summary>
    /// <param name="options">How warm, and for how long at most.</param>
    /// <param name="trial">Runs a round.</param>
    public static void Reach(RunOptions options, Func<Sample> trial)
    {
        // rounds as short as a quick run's hardly ever agree
        var warmth = new Warmth(options.WarmUpSeconds, options.Quick ? double.PositiveInfinity : Apart);
        var clock = Stopwatch.StartNew();
        while (!warmth.IsEnoughWith(trial()))
        {
            if (clock.Elapsed >= options.WarmUpLimit)
            {
                if (!options.Quick)
                {
                    options.Say($"not warm after {options.WarmUpLimit.TotalSeconds:f0} s: {warmth}");
                }

                return;
            }
        }
    }

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"CPU {_sender / 1e6:f1} and {_receiver / 1e6:f1} s; the last rounds took "
            + $"{string.Join(", ", _last.Select(s => s.Cpu.ToString("f2", CultureInfo.InvariantCulture)))} us a packet, "
            + $"{_last.Sum(s => s.Compiled)} methods were compiled in them");

    /// <summary>Takes one more round.</summary>
    /// <returns>Whether the code is warm.</returns>
    public bool IsEnoughWith(Sample trial)
    {
        _sender += trial.SenderCpu;
        _receiver += trial.ReceiverCpu;
        _last.Enqueue(trial);
        if (_last.Count > Trials)
        {
            _last.Dequeue();
        }

        return _last.Count == Trials
            && Math.Min(_sender, _receiver) >= cpuSeconds * 1e6
            && _last.Max(s => s.Cpu) <= _last.Min(s => s.Cpu) * apart
            && _last.Sum(s => s.Compiled) <= MostCompiled;
    }
}
