namespace Transport.MSBuild;

/// <summary>How much of a build is shown: MSBuild's five verbosities. Each shows what those before it do, and more.</summary>
public enum BuildVerbosity
{
    /// <summary>Errors and warnings.</summary>
    Quiet,

    /// <summary>And critical messages.</summary>
    Minimal,

    /// <summary>And messages of high importance.</summary>
    Normal,

    /// <summary>And messages of normal importance, projects, targets, tasks and their command lines.</summary>
    Detailed,

    /// <summary>Every event.</summary>
    Diagnostic,
}
