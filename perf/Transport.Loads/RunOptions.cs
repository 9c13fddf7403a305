using System;
using System.Collections.Generic;
using Transport.Loads.Rivals;

namespace Transport.Loads;

/// <summary>What every scenario is given.</summary>
/// <param name="Rounds">Interleaved rounds: in each, every column runs once.</param>
/// <param name="Quick">Few and short rounds and wide limits: shows that the programs run and the ratios are sane.</param>
/// <param name="Floor">The C floor.</param>
/// <param name="Files">The recorded builds to replay; empty: those of perf/workload.</param>
/// <param name="Say">Takes one line about what is going on.</param>
internal sealed record RunOptions(int Rounds, bool Quick, CFloor Floor, IReadOnlyList<string> Files, Action<string> Say)
{
    /// <summary>Gets the columns that <c>events</c> runs; empty: all of them.</summary>
    public IReadOnlyList<string> Columns { get; init; } = [];

    /// <summary>Gets how long one round of one column should take, in seconds.</summary>
    public double RoundSeconds => Quick ? 0.05 : 0.25;

    /// <summary>Gets how much CPU each side of a column uses before anything is measured, in seconds; see
    /// <see cref="Measuring.Warmth"/>.</summary>
    public double WarmUpSeconds => Quick ? 0.3 : 1.5;

    /// <summary>Gets how long a column runs at most before it is measured, however it goes.</summary>
    public TimeSpan WarmUpLimit => TimeSpan.FromSeconds(Quick ? 3 : 10);

    /// <summary>Gets how long a round may take at most before it counts as lost.</summary>
    public TimeSpan Limit => TimeSpan.FromSeconds(120);
}
