namespace BuildHarness.Display;

/// <summary>How much of the stream stdout shows; nothing else depends on it.</summary>
internal enum Verbosity
{
    /// <summary>Errors, warnings and the closing line.</summary>
    Quiet,

    /// <summary>And a line for each finished project. The default.</summary>
    Minimal,

    /// <summary>And messages of high importance.</summary>
    Normal,

    /// <summary>And messages of normal importance, targets and tasks.</summary>
    Detailed,

    /// <summary>Every event.</summary>
    Diagnostic,
}
