namespace Transport.Files;

/// <summary>What is on the disk before a result is published. Each step includes the ones before it.</summary>
public enum FileSync
{
    /// <summary>Nothing is synced: whole or absent against a killed process, not against a power cut.</summary>
    None = 0,

    /// <summary>Every file is synced before the rename that publishes it: after a power cut the result is absent, or there with all bytes of every file it names.</summary>
    Data = 1,

    /// <summary>Also every directory, bottom-up, and the parent of the target after the rename: when publishing has returned, the result survives a power cut.</summary>
    All = 2,
}
