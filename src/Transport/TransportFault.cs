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

    /// <summary>The bytes are not a valid frame (see PROTOCOL.md). Fix the sender.</summary>
    FrameCorrupt = 10,

    /// <summary>The packet is larger than the reader's <c>MaxPacketBytes</c>. Split it in the sender, or allow more in the
    /// reader.</summary>
    PacketTooLarge = 11,

    /// <summary>The body is not one valid MessagePack value of the expected shape. Fix the sender.</summary>
    PacketMalformed = 12,

    /// <summary>A packet handler threw; the cause is its exception. Fix the handler.</summary>
    HandlerFailed = 20,

    /// <summary>
    /// A handler waited for capacity in the queue of its own link (<c>SendAsync</c>, <c>Send</c>) for
    /// <c>HeartbeatOptions.SilenceTimeout</c>. Nothing is read meanwhile, so if the peer does the same, both wait forever. Send
    /// from a task outside of the handler, or use <c>TrySend</c>. Or a request waited that long for its response, or a send for capacity,
    /// while a loop (<c>PacketRouter.ReadAllAsync</c>) that takes no packet kept the link from reading.
    /// </summary>
    HandlerBlocked = 21,

    /// <summary>
    /// The settings that this process was started with cannot be used: an environment variable is missing or wrong, or the two sides'
    /// settings contradict each other. The message names the setting; change how the process is started. Wrong arguments are
    /// ArgumentExceptions.
    /// </summary>
    BadConfiguration = 30,

    /// <summary>The endpoint cannot be used: bad form, path too long, a folder with the wrong owner or mode. Use another
    /// endpoint.</summary>
    BadEndpoint = 31,

    /// <summary>Nobody listens at the endpoint, or the system refused the connection.</summary>
    ConnectFailed = 32,

    /// <summary>The peer responded to a request with a failure; the message is the peer's.</summary>
    RequestFailed = 40,

    /// <summary>A request was cancelled before its response arrived.</summary>
    RequestCancelled = 41,

    /// <summary>A request's timeout passed before its response arrived.</summary>
    RequestTimeout = 42,

    /// <summary>The link was closed in order, or its worker was stopped, before the response to a request arrived. The worker had the time
    /// of the stop to answer it, and was killed if it needed more. Ask again if that does no harm, or give stops more time
    /// (<c>MainNodeOptions.StopTimeout</c>).</summary>
    Stopped = 43,

    /// <summary>A program could not be started (not found, not executable). Change the command.</summary>
    StartFailed = 50,

    /// <summary>The system refused to make, write, sync or publish a file; the message has path, operation and reason. Fix what the
    /// reason names: permissions, the file system.</summary>
    FileFailed = 70,

    /// <summary>The path may not be used: absolute, <c>..</c>, an empty or too long name, NUL, or through a link. Use another
    /// path.</summary>
    FilePathRefused = 71,

    /// <summary>Something exists where a file, directory, link or target is to be made. Remove it, or ask for replacing.</summary>
    FileExists = 72,

    /// <summary>The source of a file's bytes failed, was never finished, or had more or fewer bytes than announced.</summary>
    FileSourceFailed = 73,

    /// <summary>Another process changed the staging folder while it was filled: a directory in it was replaced or moved. Nothing was
    /// published. Check whether another process writes there.</summary>
    FileTreeChanged = 74,

    /// <summary>No space, inode or quota is left on the file system. Free some.</summary>
    FileDiskFull = 75,
}
