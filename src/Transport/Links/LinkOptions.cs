using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport;

/// <summary>Every limit and wish of a link, in one place. Checked together and copied when a link or listener is made; changing it later changes nothing.</summary>
public sealed class LinkOptions
{
    private string? _node;

    /// <summary>Gets or sets this side's node name.</summary>
    /// <value>1 to 64 characters of A-Z a-z 0-9 . _ -; the default is "node", for the links of a main node "main".</value>
    public string Node
    {
        get => _node ?? "node";
        set => _node = value ?? string.Empty;
    }

    /// <summary>Gets or sets one string "name/version" told to the peer.</summary>
    /// <value>At most 200 characters; the default is empty.</value>
    public string App { get; set; } = string.Empty;

    /// <summary>Gets or sets the capabilities this side has; the link uses those both sides name.</summary>
    /// <value>At most 64 words of at most 64 characters; the default is <see cref="LinkCaps.Strings"/>, <see cref="LinkCaps.Maps"/> and
    /// <see cref="LinkCaps.Tables"/>. Name these beside your own words, or leave them out if all packets are to be written out.</value>
    public IReadOnlyList<string> Caps { get; set; } = [LinkCaps.Strings, LinkCaps.Maps, LinkCaps.Tables];

    /// <summary>Gets or sets the bytes that a table of texts, and one of maps, may hold for one lane of this side (<see cref="LinkCaps"/>).
    /// What comes again is then referred to instead of being written out; once a table is full, it takes nothing new. Each side holds them:
    /// here as the texts themselves, which the table keeps alive, at the peer as copies.</summary>
    /// <value>4 KiB to 16 MiB; the default is 4 MiB. Nothing is taken before the first such packet, and no more than what it holds.</value>
    public int MaxTableBytes { get; set; } = 4 << 20;

    /// <summary>Gets or sets the least log level the peer should send (0 Trace to 5 Critical, 6 None); told by the listening side in Welcome.</summary>
    /// <value>0 to 6; the default is 0.</value>
    public int Level { get; set; }

    /// <summary>Gets or sets the largest packet body taken from the peer, in bytes; told in the handshake.</summary>
    /// <value>64 KiB to 1 GiB; the default is 16 MiB.</value>
    public int MaxPacketBytes { get; set; } = 16 << 20;

    /// <summary>Gets or sets the bytes that may wait to be written before a send answers Full. An empty queue takes any packet up to the peer's maxPacket. The urgent lane alone has a reserve on top of it: an eighth of it, at most 256 KiB, so that neither many logs nor one large packet shut out a cancel.</summary>
    /// <value>64 KiB to 1 GiB; the default is 8 MiB. Where a lane drops (<see cref="LanePolicy.Drop"/>), lower log levels get no more than a share of it.</value>
    public long MaxQueuedBytes { get; set; } = 8L << 20;

    /// <summary>Gets or sets what happens to a packet of the urgent lane that finds no room.</summary>
    /// <value>The default is <see cref="LanePolicy.Refuse"/>.</value>
    public LanePolicy UrgentPolicy { get; set; } = LanePolicy.Refuse;

    /// <summary>Gets or sets what happens to a packet of the normal lane that finds no room.</summary>
    /// <value>The default is <see cref="LanePolicy.Refuse"/>.</value>
    public LanePolicy NormalPolicy { get; set; } = LanePolicy.Refuse;

    /// <summary>Gets or sets what happens to a packet of the bulk lane that finds no room.</summary>
    /// <value>The default is <see cref="LanePolicy.Refuse"/>.</value>
    public LanePolicy BulkPolicy { get; set; } = LanePolicy.Refuse;

    /// <summary>
    /// Gets or sets what happens if a packet handler throws. A handler of requests never ends the link: its exception is the answer.
    /// </summary>
    /// <value>The default is <see cref="Transport.HandlerFailure.EndLink"/>.</value>
    public HandlerFailure HandlerFailure { get; set; }

    /// <summary>Gets or sets how long Hello, and then Welcome, may take.</summary>
    /// <value>100 ms to 10 min; the default is 10 s.</value>
    public TimeSpan HandshakeTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets or sets how long connecting to the endpoint may take.</summary>
    /// <value>100 ms to 10 min; the default is 30 s.</value>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets or sets after how long without a frame from the peer a Ping is sent.</summary>
    /// <value>100 ms to 1 h, less than <see cref="SilenceTimeout"/>; the default is 5 s.</value>
    public TimeSpan PingInterval { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Gets or sets after how long without a frame from the peer, while a read is pending, the link ends with Timeout. As long may a send wait for room inside a handler of its own link (<see cref="TransportFault.HandlerBlocked"/>).</summary>
    /// <value>200 ms to 24 h; the default is 30 s.</value>
    public TimeSpan SilenceTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets or sets after how long something that stands still is reported (<see cref="Link.Stalled"/>): a handler of this side that does not return, or a peer that takes nothing of what is queued, handles nothing of what was written, or answers no Ping. A main node tells as long after its start of a worker that has not connected (<c>WorkerProcess.Stalled</c>). A report ends nothing. The link looks four times in the shortest of this, <see cref="PingInterval"/> and <see cref="SilenceTimeout"/>: a stall is told within this time, at the earliest one look before it.</summary>
    /// <value>100 ms to 24 h; the default is 10 s.</value>
    public TimeSpan StallTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets or sets how long closing may take: sending what is queued, the peer's Ack and its Goodbye.</summary>
    /// <value>100 ms to 1 h; the default is 30 s.</value>
    public TimeSpan CloseTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets or sets how many requests of the peer may be in work at once; more are answered with a failure.</summary>
    /// <value>1 to 65,536; the default is 1,024.</value>
    public int MaxRequests { get; set; } = 1024;

    /// <summary>Gets or sets how many connections may be between connect and Welcome at once; one more closes the oldest, so that silent clients cannot keep a real one out.</summary>
    /// <value>1 to 65,536; the default is 256.</value>
    public int MaxPendingHandshakes { get; set; } = 256;

    /// <summary>Gets or sets how many links a listener holds at once; more are answered Reject busy.</summary>
    /// <value>1 to 65,536; the default is 1,024.</value>
    public int MaxLinks { get; set; } = 1024;

    /// <summary>Gets or sets the user ids allowed besides this process's own.</summary>
    /// <value>At most 64 ids; the default is none.</value>
    public IReadOnlyList<int> AllowedUserIds { get; set; } = [];

    /// <summary>Gets or sets packet types whose names reports use if no handler names them: packets that are taken as bytes, or by
    /// nobody.</summary>
    /// <value>Empty by default.</value>
    public IReadOnlyList<PacketType> KnownPackets { get; set; } = [];

    /// <summary>Gets or sets the clock of every deadline.</summary>
    /// <value>The default is the system's.</value>
    public TimeProvider Clock { get; set; } = TimeProvider.System;

    /// <summary>Gets or sets the pool to use instead of one of the link's (or listener's) own; tests give one that accuses.</summary>
    internal SegmentPool? Pool { get; set; }

    /// <summary>Gives the pool of a link or listener: the one set, or a new one that keeps what two full queues and the largest windows need.</summary>
    internal SegmentPool GetOrCreatePool() => Pool ?? new SegmentPool((MaxQueuedBytes * 2) + (4 << 20));

    /// <summary>Gets or sets the crash-surviving tail of a worker's one link; null: none.</summary>
    internal TailMap? Tail { get; set; }

    /// <summary>Makes a checked copy with a node name, unless it has one that was given.</summary>
    internal LinkOptions CopyFor(string node)
    {
        LinkOptions copy = CheckedCopy();
        copy._node ??= node;
        return copy;
    }

    /// <summary>Makes a checked copy for several links, one after the other, which share a pool.</summary>
    internal LinkOptions CopyWithPool()
    {
        LinkOptions copy = CheckedCopy();
        copy.Pool = GetOrCreatePool();
        return copy;
    }

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>: lists every value out of range with what is allowed.</exception>
    internal LinkOptions CheckedCopy()
    {
        var wrong = new List<string>();
        Check(wrong, nameof(Node), NodeName.IsValid(Node), $"\"{Node}\"", "1 to 64 characters of A-Z a-z 0-9 . _ -");
        Check(wrong, nameof(App), App is { Length: <= 200 }, App is null ? "null" : $"{App.Length} characters", "at most 200 characters");
        Check(wrong, nameof(Caps), AreWords(Caps), Caps is null ? "null" : $"{Caps.Count} words", "at most 64 words of 1 to 64 characters");
        Check(wrong, nameof(Level), Level is >= 0 and <= 6, Level, "0 to 6");
        Check(wrong, nameof(MaxPacketBytes), MaxPacketBytes is >= 64 << 10 and <= 1 << 30, MaxPacketBytes, "64 KiB to 1 GiB");
        Check(wrong, nameof(MaxQueuedBytes), MaxQueuedBytes is >= 64 << 10 and <= 1 << 30, MaxQueuedBytes, "64 KiB to 1 GiB");
        Check(wrong, nameof(MaxTableBytes), MaxTableBytes is >= 4 << 10 and <= 16 << 20, MaxTableBytes, "4 KiB to 16 MiB");
        CheckTime(wrong, nameof(HandshakeTimeout), HandshakeTimeout, 100, 600_000);
        CheckTime(wrong, nameof(ConnectTimeout), ConnectTimeout, 100, 600_000);
        CheckTime(wrong, nameof(PingInterval), PingInterval, 100, 3_600_000);
        CheckTime(wrong, nameof(SilenceTimeout), SilenceTimeout, 200, 86_400_000);
        Check(wrong, nameof(PingInterval), PingInterval < SilenceTimeout, PingInterval, $"less than {nameof(SilenceTimeout)} ({SilenceTimeout})");
        CheckTime(wrong, nameof(StallTimeout), StallTimeout, 100, 86_400_000);
        CheckTime(wrong, nameof(CloseTimeout), CloseTimeout, 100, 3_600_000);
        Check(wrong, nameof(MaxRequests), MaxRequests is >= 1 and <= 65_536, MaxRequests, "1 to 65,536");
        Check(wrong, nameof(MaxPendingHandshakes), MaxPendingHandshakes is >= 1 and <= 65_536, MaxPendingHandshakes, "1 to 65,536");
        Check(wrong, nameof(MaxLinks), MaxLinks is >= 1 and <= 65_536, MaxLinks, "1 to 65,536");
        Check(wrong, nameof(AllowedUserIds), AllowedUserIds is { Count: <= 64 }, AllowedUserIds is null ? "null" : $"{AllowedUserIds.Count} ids", "at most 64 ids");
        Check(wrong, nameof(UrgentPolicy), UrgentPolicy is LanePolicy.Refuse or LanePolicy.Drop, UrgentPolicy, "Refuse or Drop");
        Check(wrong, nameof(HandlerFailure), HandlerFailure is HandlerFailure.EndLink or HandlerFailure.Report, HandlerFailure, "EndLink or Report");
        CheckPolicy(wrong, nameof(NormalPolicy), NormalPolicy);
        CheckPolicy(wrong, nameof(BulkPolicy), BulkPolicy);
        Check(wrong, nameof(Clock), Clock is not null, "null", "a clock");
        Check(wrong, nameof(KnownPackets), KnownPackets?.Contains(null!) is false, "null or with null", "a list of packet types");
        if (wrong.Count > 0)
        {
            throw new TransportException(TransportFault.BadOptions, string.Join("; ", wrong));
        }

        var copy = (LinkOptions)MemberwiseClone();
        copy.Caps = [.. Caps!];
        copy.AllowedUserIds = [.. AllowedUserIds!];
        copy.KnownPackets = [.. KnownPackets!];
        return copy;
    }

    private static void Check(List<string> wrong, string name, bool sound, object? came, string allowed)
    {
        if (!sound)
        {
            wrong.Add($"{name} = {came}, allowed: {allowed}");
        }
    }

    private static void CheckPolicy(List<string> wrong, string name, LanePolicy policy) => Check(
        wrong,
        name,
        policy is LanePolicy.Refuse or LanePolicy.Drop,
        policy,
        "Refuse or Drop");

    private static void CheckTime(List<string> wrong, string name, TimeSpan value, int leastMs, int mostMs) =>
        Check(wrong, name, value.TotalMilliseconds >= leastMs && value.TotalMilliseconds <= mostMs, value, $"{TimeSpan.FromMilliseconds(leastMs)} to {TimeSpan.FromMilliseconds(mostMs)}");

    private static bool AreWords(IReadOnlyList<string>? words)
    {
        if (words is null || words.Count > 64)
        {
            return false;
        }

        foreach (string word in words)
        {
            if (word is not { Length: >= 1 and <= 64 })
            {
                return false;
            }
        }

        return true;
    }
}
