using System.Collections.Generic;

namespace Transport.Logging;

/// <summary>One scope that was open when an event was logged.</summary>
/// <param name="Text">Its text; null if it has none, such as a dictionary.</param>
/// <param name="Properties">Its properties, in their order; empty if it has none.</param>
public readonly record struct LogScope(string? Text, IReadOnlyList<LogProperty> Properties);
