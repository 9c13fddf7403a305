using System.Collections.Generic;

namespace Transport.Loads.Report;

/// <summary>What a run measured, and how: all that its page is made of.</summary>
/// <param name="Stamp">When, on what and by which command.</param>
/// <param name="Rounds">How many rounds each column had.</param>
/// <param name="IsQuick">Whether they were short, and judged by wide limits.</param>
/// <param name="Rows">What was measured.</param>
/// <param name="Broken">What failed.</param>
internal sealed record Results(RunStamp Stamp, int Rounds, bool IsQuick, IReadOnlyList<Row> Rows, IReadOnlyList<string> Broken);
