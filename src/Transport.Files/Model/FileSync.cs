namespace Transport.Files;

/// <summary>What is on the disk before a result is published. Each value includes the ones before it.</summary>
public enum FileSync
{
    /// <summary>Nothing is synced. The result is whole or absent after a killed process, but not after a power cut.</summary>
    None = 0,

    /// <summary>
    /// Every file is synced before the rename that publishes it. After a power cut the result is absent, or exists with all bytes of every
    /// file it names.
    /// </summary>
    Data = 1,

    /// <summary>
    /// Also every directory, bottom-up, and the target's parent after the rename. When publishing has returned, the result survives a power
    /// cut.
    /// </summary>
    All = 2,
}
