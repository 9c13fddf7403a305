using System;

namespace Transport.Files;

/// <summary>How long an output did one thing: what <see cref="FileOutputOptions.OnSpan"/> hears.</summary>
public readonly record struct FileSpan
{
    /// <summary>Gets the thread: <c>writer 1</c>, <c>caller</c>, <c>retries</c> or <c>finish</c>.</summary>
    public string Thread { get; init; }

    /// <summary>Gets the operation: <c>open</c>, <c>write</c>, <c>close</c>, <c>retry</c>, <c>publish</c> and the like; or
    /// <c>queued</c>, a wait, which may overlap other spans of its thread.</summary>
    public string Name { get; init; }

    /// <summary>Gets the path, or what else it is about; null if it is about the whole.</summary>
    public string? Path { get; init; }

    /// <summary>Gets the start: a timestamp of <see cref="System.Diagnostics.Stopwatch.GetTimestamp"/>.</summary>
    public long Start { get; init; }

    /// <summary>Gets the end: a timestamp of <see cref="System.Diagnostics.Stopwatch.GetTimestamp"/>.</summary>
    public long End { get; init; }

    /// <summary>Returns what was done, by whom and to what.</summary>
    /// <returns>For example <c>writer 1: write bin/App.dll</c>.</returns>
    public override string ToString() => Path is null ? $"{Thread}: {Name}" : $"{Thread}: {Name} {TerminalText.Escape(Path)}";
}
