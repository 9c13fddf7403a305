namespace Transport;

/// <summary>Why a link, a packet or a call failed: one short list, sorted by who must act.</summary>
/// <remarks>The names of the groups "peer" and "bytes" are words of the wire (PROTOCOL.md): they travel in Goodbye.</remarks>
public enum TransportFault
{
    /// <summary>No fault: a clean end.</summary>
    None = 0,

    /// <summary>The stream ended without Goodbye: the peer's process died or its link was cut. Look at the peer.</summary>
    PeerGone = 1,

    /// <summary>No frame came from the peer for <c>HeartbeatOptions.SilenceTimeout</c>, or closing took longer than its deadline. Look at
    /// the peer.</summary>
    Timeout = 2,

    /// <summary>Hello or Welcome did not come in time. Look at the peer, or raise <c>LinkOptions.HandshakeTimeout</c>.</summary>
    HandshakeTimeout = 3,

    /// <summary>The listening side refused the handshake; the exception or the link's end names the code, the field and both
    /// values.</summary>
    Rejected = 4,

    /// <summary>This side ended the link without waiting (Abort, or its process is ending).</summary>
    Aborted = 5,

    /// <summary>Bytes that are no frame of PROTOCOL.md. Whoever wrote them must be mended.</summary>
    FrameCorrupt = 10,

    /// <summary>A packet larger than the reader's <c>maxPacket</c>. The sender must split it, or the reader must allow more.</summary>
    PacketTooLarge = 11,

    /// <summary>A body that is not one valid MessagePack value of the expected shape. Whoever wrote it must be mended.</summary>
    PacketMalformed = 12,

    /// <summary>A packet handler threw. The handler must be mended; the cause is its exception.</summary>
    HandlerFailed = 20,

    /// <summary>
    /// A handler waited for room in the queue of its own link (<c>SendAsync</c>, <c>Send</c>) for <c>HeartbeatOptions.SilenceTimeout</c>;
    /// nothing is read meanwhile, so if the peer does the same neither gets on. The handler must hand what it sends to a task of its own,
    /// or use <c>TrySend</c>.
    /// </summary>
    HandlerBlocked = 21,

    /// <summary>
    /// What this process was started with cannot be used: an environment variable is missing or wrong, or the two sides' settings do not
    /// go together. The message says which; whoever starts the process must change it. Wrong arguments are ArgumentExceptions.
    /// </summary>
    BadConfiguration = 30,

    /// <summary>An endpoint that cannot be used: bad form, path too long, a folder with the wrong owner or mode. The caller must change
    /// it.</summary>
    BadEndpoint = 31,

    /// <summary>Nobody listens at the endpoint, or the system refused the connection.</summary>
    ConnectFailed = 32,

    /// <summary>A request was answered with a failure; the message is the answerer's.</summary>
    RequestFailed = 40,

    /// <summary>A request was cancelled before its answer came.</summary>
    RequestCancelled = 41,

    /// <summary>A request's deadline passed before its answer came.</summary>
    RequestTimeout = 42,

    /// <summary>A program could not be started (not found, not executable). The caller must change the command.</summary>
    StartFailed = 50,

    /// <summary>The system refused to make, write, sync or publish a file; the message has path, operation and reason. Mend what the reason
    /// names: permissions, the file system.</summary>
    FileFailed = 70,

    /// <summary>A path that may not be used: absolute, <c>..</c>, an empty or too long name, NUL, or through a link. Whoever named it must
    /// be mended.</summary>
    FilePathRefused = 71,

    /// <summary>Something stands already where a file, directory, link or target is to be made. Remove it, or ask for replacing.</summary>
    FileExists = 72,

    /// <summary>The source of a file's bytes failed, was never finished, or had more or fewer bytes than it said.</summary>
    FileSourceFailed = 73,

    /// <summary>Somebody else changed the staging while it was filled: a directory in it was replaced or moved. Nothing was published; find
    /// out who.</summary>
    FileTreeChanged = 74,

    /// <summary>No space, no inode or no quota left on the file system. Make room.</summary>
    FileDiskFull = 75,
}
