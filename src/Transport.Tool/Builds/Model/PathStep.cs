namespace Transport.Tool;

/// <summary>A stretch of the critical path: what the build waited for at that time.</summary>
/// <param name="Project">The project that worked.</param>
/// <param name="Start">From when, in ticks.</param>
/// <param name="End">To when.</param>
internal sealed record PathStep(ProjectSpan Project, long Start, long End);
