namespace Transport.Files;

/// <summary>What publishing does where the target is there already. Whatever is chosen: what appears there between the start and the publishing is never overwritten unasked.</summary>
public enum ExistingTarget
{
    /// <summary>Refuse with <see cref="TransportFault.FileExists"/>, at the start and again at publishing.</summary>
    Refuse = 0,

    /// <summary>Take the place of an empty directory; refuse anything else.</summary>
    RefuseUnlessEmpty = 1,

    /// <summary>Replace it, by one exchange of names: readers see the old or the new one, never none and never half. What was there is removed afterwards.</summary>
    Replace = 2,
}
