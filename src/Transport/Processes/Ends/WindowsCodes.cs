namespace Transport;

/// <summary>Exit codes that stand for an exception: Windows has no signals, and gives the code of what ended the process (NTSTATUS, and the
/// runtime's own).</summary>
internal static class WindowsCodes
{
    /// <returns>A few words, or null for a code that a program chose itself. Unix has no such codes: its own end at 255.</returns>
    public static string? Of(int code) => unchecked((uint)code) switch
    {
        0xC0000005 => "access violation",
        0xC00000FD => "stack overflow",
        0xC0000017 => "out of memory",
        0xC000001D => "illegal instruction",
        0xC0000135 => "a dll was not found",
        0xC000013A => "ended by Ctrl+C",
        0xC0000374 => "heap corruption",
        0xC0000409 => "abort or a stack buffer overrun",
        0xE0434352 => "unhandled .NET exception",
        0x80131506 => "fault in the .NET runtime",
        0x80131623 => "FailFast",
        0x8000808F or 0x80008083 or 0x80008096 => "missing runtime",
        _ => null,
    };
}
