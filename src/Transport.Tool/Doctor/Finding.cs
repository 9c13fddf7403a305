namespace Transport.Tool;

/// <summary>One thing that was looked at.</summary>
/// <param name="What">What.</param>
/// <param name="Value">What was found.</param>
/// <param name="Advice">What to change; null: nothing.</param>
internal sealed record Finding(string What, string Value, string? Advice = null);
