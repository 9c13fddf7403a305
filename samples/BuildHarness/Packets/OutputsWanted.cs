namespace BuildHarness.Packets;

/// <summary>Which files of a project are wanted once it is built.</summary>
internal enum OutputsWanted
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>All that is in the project's output folder.</summary>
    Folder = 1,

    /// <summary>Of the output folder, which is not the project's alone, what MSBuild knows that this project wrote.</summary>
    Written = 2,
}
