namespace Transport.Logging;

/// <summary>One property of a log event.</summary>
/// <param name="Name">The name; the caller keeps names unique within an event.</param>
/// <param name="Value">The value.</param>
public readonly record struct LogProperty(string Name, LogValue Value);
