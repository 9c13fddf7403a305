namespace Transport;

/// <summary>Specifies what connects two processes.</summary>
public enum WireKind
{
    /// <summary>A Unix domain socket; <c>unix:PATH</c> as text. Not on Windows.</summary>
    UnixSocket = 1,

    /// <summary>A named pipe; <c>pipe:NAME</c> as text. On Unix, where .NET builds named pipes on them, a Unix domain socket at the path
    /// that .NET gives that name.</summary>
    NamedPipe = 2,

    /// <summary>Memory of one process: the two links of a <see cref="LinkPair"/>. It has no endpoint that could be listened at.</summary>
    Memory = 3,

    /// <summary>Two anonymous pipes that a worker inherits from the main node that starts it; <c>fd:READ,WRITE,INODE,INODE</c> as text.
    /// They need no socket and no folder, so they work in sandboxes that allow neither. Nobody can listen at them. Not on
    /// Windows.</summary>
    Inherited = 4,
}
