using System.Collections.Generic;

namespace BuildHarness.Summary;

/// <summary>What became of <c>--collect-outputs</c>. Immutable.</summary>
/// <param name="Directory">The full path.</param>
/// <param name="Projects">What is there by project; empty if nothing was published.</param>
/// <param name="Failure">Why nothing was published, or null.</param>
internal sealed record CollectionSummary(string Directory, IReadOnlyList<CollectedFolder> Projects, string? Failure);

/// <summary>The outputs of one project.</summary>
/// <param name="Path">The project file.</param>
/// <param name="Framework">Its target framework, or empty.</param>
/// <param name="Folder">Its folder in the collection; null if it has no outputs.</param>
/// <param name="Files">How many files.</param>
/// <param name="Bytes">Their bytes.</param>
internal sealed record CollectedFolder(string Path, string Framework, string? Folder, long Files, long Bytes);
