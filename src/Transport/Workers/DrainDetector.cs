namespace Transport;

/// <summary>Looks at the link of a process that has ended, until enough is read: what it had written lies in the stream, but a child that
/// inherited its end may keep that open forever, and even write to it.</summary>
/// <param name="before">The bytes received when the process had ended.</param>
/// <param name="dryBefore">How often the stream had been found empty by then.</param>
internal sealed class DrainDetector(long before, long dryBefore)
{
    /// <summary>More than any socket's buffers hold.</summary>
    public const long SocketMost = LinkFlow.SocketMost;

    private long _last = -1;

    /// <summary>Gets a value indicating whether everything that the process wrote is handled.</summary>
    public bool IsDrained { get; private set; }

    /// <summary>Looks once more.</summary>
    /// <param name="waits">Whether everything that came is handled, and a read waits for more.</param>
    /// <param name="received">The bytes received so far.</param>
    /// <param name="foundDry">How often the stream was found empty so far.</param>
    /// <returns>Whether enough is read: the stream was found empty twice since the end (the first time may be a moment before it), a read
    /// has waited at two looks with nothing read in between, or more has come than a socket holds.</returns>
    public bool IsEnough(bool waits, long received, long foundDry)
    {
        // A read that waits has found nothing; but one look may fall between two reads, so two must agree.
        IsDrained = foundDry >= dryBefore + 2 || (waits && received == _last);
        _last = waits ? received : -1;
        return IsDrained || received - before > SocketMost;
    }
}
