namespace Transport.Tool;

/// <summary>A stretch of a build's time.</summary>
/// <param name="name">What is called so.</param>
/// <param name="start">When it began, in ticks of UTC.</param>
internal abstract class BuildSpan(string name, long start)
{
    public string Name => name;

    public long Start { get; } = start;

    /// <summary>Gets or sets when it ended; if it was cut off, when the build's last event was raised.</summary>
    public long End { get; set; } = start;

    /// <summary>Gets or sets whether it succeeded; null: it has not ended.</summary>
    public bool? Succeeded { get; set; }

    public long Ticks => End - Start;

    /// <summary>Returns how something ended, in words.</summary>
    /// <param name="succeeded">Whether it succeeded; null: it was cut off.</param>
    public static string Result(bool? succeeded) => succeeded switch { true => "succeeded", false => "failed", _ => "cut off" };
}
