namespace Transport.Files;

/// <summary>How far a <see cref="FileOutput"/> is; a look, taken from any thread at any time.</summary>
/// <param name="Files">Files written and closed.</param>
/// <param name="Bytes">Bytes written.</param>
/// <param name="QueuedBytes">Bytes that wait in memory for a writer, charged as in <see cref="FileOutputOptions.MemoryBudget"/>.</param>
/// <param name="QueuedFiles">Files and links handed over and not finished.</param>
/// <param name="Current">The path a writer began last; empty before the first.</param>
/// <param name="Retries">Tries beyond the first.</param>
public readonly record struct FileProgress(long Files, long Bytes, long QueuedBytes, long QueuedFiles, string Current, long Retries);
