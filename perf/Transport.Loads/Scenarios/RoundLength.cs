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

    /// <summary>Runs until the code is warm.</summary>
    public void WarmUp()
    {
        double fastest = 0;   // one that was held up would make all rounds too short to stand the next one
        _count = least;
        Warmth.Reach(options, () =>
        {
            Sample last = run(_count);
            fastest = Math.Max(fastest, last.PacketsPerSecond);
            _count = Math.Clamp((int)(fastest * options.RoundSeconds), least, most);
            return last;
        });
    }

    /// <summary>Measures one round.</summary>
    public Sample Run() => run(_count);
}
