namespace BuildHarness.Collecting;

/// <summary>A file to send.</summary>
/// <param name="FullPath">Where it is.</param>
/// <param name="Path">Its path in the output folder, with '/' between names.</param>
internal readonly record struct OutputItem(string FullPath, string Path);
