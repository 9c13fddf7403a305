using System.Diagnostics;

namespace Transport.Loads.Scenarios;

/// <summary>When a caller sends.</summary>
/// <param name="Name">For the table.</param>
/// <param name="Calls">Sends of a round; all of them fit into the default budget of a link, so that a stopped receiver does not answer
/// Full.</param>
/// <param name="Group">Sends one after the other.</param>
/// <param name="PauseMicros">From the start of one group to the start of the next.</param>
internal sealed record CallerRhythm(string Name, int Calls, int Group, double PauseMicros)
{
    public static readonly CallerRhythm BackToBack = new("back to back", 20_000, 1, 0);

    public static readonly CallerRhythm SixtyFourAMillisecond = new("64 a ms", 6_400, 64, 1000);

    public static readonly CallerRhythm OneEveryTwentyMicros = new("one every 20 us", 5_000, 1, 20);

    public long PauseTicks => (long)(PauseMicros * Stopwatch.Frequency / 1e6);
}
