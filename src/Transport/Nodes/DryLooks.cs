namespace Transport.Nodes;

/// <summary>Looks at the link of a process that has ended, until enough is read: what it had written lies in the stream, but a child that inherited its socket may keep that open for ever.</summary>
/// <param name="before">The bytes received when the process had ended.</param>
internal sealed class DryLooks(long before)
{
    /// <summary>More than any socket's buffers hold (net.core.wmem_max and rmem_max are 4 MiB and less).</summary>
    public const long SocketMost = 16 << 20;

    private long _last = -1;

    /// <summary>Looks once more.</summary>
    /// <param name="dry">Whether everything that came is handled, and a read waits for more.</param>
    /// <param name="received">The bytes received so far.</param>
    /// <returns>Whether enough is read: found dry twice, with nothing read in between, because one look may fall between two reads; or more has come than a socket holds.</returns>
    public bool IsEnough(bool dry, long received)
    {
        bool enough = (dry && received == _last) || received - before > SocketMost;
        _last = dry ? received : -1;
        return enough;
    }
}
