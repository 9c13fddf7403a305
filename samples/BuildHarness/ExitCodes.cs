namespace BuildHarness;

/// <summary>What the process's exit code says.</summary>
internal static class ExitCodes
{
    public const int Success = 0;

    /// <summary>The build failed, a replay came back different, or an archive was refused or could not be written out.</summary>
    public const int BuildFailed = 1;

    /// <summary>Bad usage, or a file that is missing or is not what it should be.</summary>
    public const int BadUsage = 2;

    /// <summary>The harness itself could not do its work: a full disk, a worker that will not start.</summary>
    public const int HarnessFault = 3;

    /// <summary>The same for <c>run</c>, whose other codes are the program's own.</summary>
    public const int RunFault = 125;

    /// <summary>The terminal was closed.</summary>
    public const int HungUp = 129;

    public const int Interrupted = 130;

    public const int Terminated = 143;
}
