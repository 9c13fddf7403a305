using System;
using Transport.Loads.Measuring;

namespace Transport.Loads.Scenarios;

/// <summary>Finds how many packets make a round of the wanted length.</summary>
/// <param name="options">How long to warm up, and how long a round is.</param>
/// <param name="least">The fewest packets of a round.</param>
/// <param name="most">The most.</param>
/// <param name="run">Measures a round of so many packets.</param>
internal sealed class RoundLength(RunOptions options, int least, int most, Func<int, Sample> run)
{
    private int _count;

    /// <summary>Runs until the code is warm: Mono compiles once, .NET again and again.</summary>
    public void WarmUp()
    {
        Sample last = run(least);
        for (double spent = last.Seconds; spent < options.WarmUpSeconds; spent += last.Seconds)
        {
            last = run(Count(last, 0.1));
        }

        _count = Count(last, options.RoundSeconds);
    }

    /// <summary>Measures one round.</summary>
    public Sample Run() => run(_count);

    private int Count(Sample last, double seconds) => Math.Clamp((int)(last.PacketsPerSecond * seconds), least, most);
}
