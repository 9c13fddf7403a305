namespace Transport;

/// <summary>What could be had of the file in which an exited process kept its tail.</summary>
/// <param name="Bytes">The file, as large as it was made, with zeros behind where it was cut; empty if it could not be read, or not even
/// its header is left.</param>
/// <param name="Problem">How it is not as it was made, for a person; null if it is.</param>
internal sealed record TailContent(byte[] Bytes, string? Problem);
