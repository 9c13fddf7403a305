namespace BuildHarness.Collecting;

/// <summary>The outputs of a project, all taken.</summary>
/// <param name="Turn">When it was built.</param>
/// <param name="Files">How many files.</param>
/// <param name="Bytes">Their bytes.</param>
internal sealed record CollectedProject(OutputTurn Turn, long Files, long Bytes);
