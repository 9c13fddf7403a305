using System;
using System.Collections.Generic;

namespace Transport.Logging;

/// <summary>Options of a <see cref="StdioCapture"/>. Read once, when it starts.</summary>
public sealed class StdioCaptureOptions
{
    /// <summary>Gets or sets a value indicating whether standard output is captured.</summary>
    /// <value>The default is true.</value>
    public bool Stdout { get; set; } = true;

    /// <summary>Gets or sets a value indicating whether standard error is captured.</summary>
    /// <value>The default is true. False leaves it to the parent process, also what a crashing runtime writes there last.</value>
    public bool Stderr { get; set; } = true;

    /// <summary>Gets or sets how long one line may wait for capacity in the link's queue before it is dropped and counted. Meanwhile the
    /// program's prints wait too, once the pipe is full.</summary>
    /// <value>0 to 1 h; the default is 10 s.</value>
    public TimeSpan SendDeadline { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets or sets the clock that dates lines.</summary>
    /// <value>The default is the system's.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change.</returns>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal StdioCaptureOptions CheckedCopy()
    {
        var wrong = new List<string>();
        if (SendDeadline < TimeSpan.Zero || SendDeadline > TimeSpan.FromHours(1))
        {
            wrong.Add($"{nameof(SendDeadline)} = {SendDeadline}, allowed: 0 to 1 h");
        }

        if (TimeProvider is null)
        {
            wrong.Add($"{nameof(TimeProvider)} = null, allowed: a time provider");
        }

        if (!Stdout && !Stderr)
        {
            wrong.Add($"{nameof(Stdout)} and {nameof(Stderr)} = false, allowed: one of them at least");
        }

        return wrong.Count == 0
            ? (StdioCaptureOptions)MemberwiseClone()
            : throw new ArgumentException($"These options cannot be used: {string.Join("; ", wrong)}.", "options");
    }
}
