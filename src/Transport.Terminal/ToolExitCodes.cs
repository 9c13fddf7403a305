namespace Transport.Terminal;

/// <summary>What a program's exit code says.</summary>
public static class ToolExitCodes
{
    /// <summary>All is well.</summary>
    public const int Success = 0;

    /// <summary>What was looked at is not valid: cut, damaged or not closed.</summary>
    public const int Invalid = 1;

    /// <summary>Bad usage, or what was named is missing or is not what it should be.</summary>
    public const int BadUsage = 2;

    /// <summary>The program could not do its work: something cannot be read or written.</summary>
    public const int Fault = 3;

    /// <summary>The terminal was closed (SIGHUP).</summary>
    public const int HungUp = 129;

    /// <summary>Ctrl+C (SIGINT).</summary>
    public const int Interrupted = 130;

    /// <summary>SIGTERM.</summary>
    public const int Terminated = 143;
}
