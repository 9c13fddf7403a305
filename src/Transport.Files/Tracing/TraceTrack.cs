namespace Transport.Files;

/// <summary>One line of a <see cref="ChromeTrace"/>: a group (shown as a process) and a name in it (shown as a thread).</summary>
/// <param name="Group">The group's number.</param>
/// <param name="Line">The line's number, unique in the trace.</param>
public readonly record struct TraceTrack(int Group, int Line);
