namespace Transport.Files;

/// <summary>What publishing does if the target exists already.</summary>
/// <remarks>A target that appears between the start and the publishing is never overwritten, except with <see cref="Replace"/>.</remarks>
public enum ExistingTarget
{
    /// <summary>Refuse with <see cref="TransportFault.FileExists"/>, at the start and again when publishing.</summary>
    Refuse = 0,

    /// <summary>Take the place of an empty directory; refuse anything else.</summary>
    RefuseUnlessEmpty = 1,

    /// <summary>
    /// Replace it by one exchange of names: readers see the old or the new content, never none and never half. The old content is removed
    /// afterwards.
    /// </summary>
    Replace = 2,
}
