using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport;

/// <summary>The options of a link: of every one that a <see cref="LinkListener"/> makes, or of the one that
/// <see cref="Link.ConnectAsync"/> makes. Four of them are for one of the two alone, and say so: there the other refuses a value that is
/// not the default.</summary>
/// <remarks>Checked together and copied when a link or listener is made; changing them later changes nothing.</remarks>
public sealed class LinkOptions
{
    private const int MostLinks = 1024, MostPending = 256;
    private static readonly TimeSpan Least = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan UsualConnect = TimeSpan.FromSeconds(30);

    /// <summary>Gets or sets this side's node name.</summary>
    /// <value>1 to 64 characters of A-Z a-z 0-9 . _ -; the default is null: "main" for who listens and "worker" for who connects.</value>
    public string? Node { get; set; }

    /// <summary>Gets or sets one string "name/version" reported to the peer.</summary>
    /// <value>At most 200 characters; the default is empty.</value>
    public string App { get; set; } = string.Empty;

    /// <summary>Gets or sets a value indicating whether a text or a whole map (properties, metadata) that comes again is referred to
    /// instead of being written out, in packets whose type asks for it (<see cref="PacketAttribute.Tables"/>) and if the peer takes
    /// part.</summary>
    /// <value>The default is true.</value>
    public bool UseTables
    {
        get => Tables != default;
        set => Tables = new TableCaps(value, value, value);
    }

    /// <summary>Gets or sets which tables this side offers, one by one.</summary>
    internal TableCaps Tables { get; set; } = new(Strings: true, Maps: true, Types: true);

    /// <summary>Gets or sets the bytes that a table of texts, and one of maps, may hold for one lane of this side. Once a table is full,
    /// it takes nothing new. Each side holds them: here as the texts themselves, which the table keeps alive, at the peer as
    /// copies.</summary>
    /// <value>4 KiB to 16 MiB; the default is 4 MiB. Nothing is taken before the first such packet, and no more than what it holds.</value>
    public int MaxTableBytes { get; set; } = 4 << 20;

    /// <summary>Gets or sets the largest packet body taken from the peer, in bytes; reported in the handshake.</summary>
    /// <value>64 KiB to 1 GiB; the default is 16 MiB.</value>
    public int MaxPacketBytes { get; set; } = 16 << 20;

    /// <summary>Gets or sets the bytes that may wait to be written before a send answers Full. An empty queue takes any packet up to the
    /// peer's <see cref="MaxPacketBytes"/>. The urgent lane alone has a reserve on top of it: an eighth of it, at most 256 KiB, so that
    /// neither many logs nor one large packet shut out a cancel.</summary>
    /// <value>64 KiB to 1 GiB; the default is 8 MiB. If a lane drops (<see cref="LanePolicy.Drop"/>), lower log levels get no more than a
    /// share of it.</value>
    public long MaxQueuedBytes { get; set; } = 8L << 20;

    /// <summary>Gets or sets the policy for a packet of the urgent lane that finds no capacity.</summary>
    /// <value>The default is <see cref="LanePolicy.Refuse"/>.</value>
    public LanePolicy UrgentPolicy { get; set; } = LanePolicy.Refuse;

    /// <summary>Gets or sets the policy for a packet of the normal lane that finds no capacity.</summary>
    /// <value>The default is <see cref="LanePolicy.Refuse"/>.</value>
    public LanePolicy NormalPolicy { get; set; } = LanePolicy.Refuse;

    /// <summary>Gets or sets the policy for a packet of the bulk lane that finds no capacity.</summary>
    /// <value>The default is <see cref="LanePolicy.Refuse"/>.</value>
    public LanePolicy BulkPolicy { get; set; } = LanePolicy.Refuse;

    /// <summary>
    /// Gets or sets a value indicating whether a packet handler that throws ends the link, with <see cref="TransportFault.HandlerFailed"/>.
    /// Otherwise the failure is reported (<see cref="PacketRouter.HandlerFailed"/>) and counted
    /// (<see cref="LinkReceipt.HandlerFailures"/>), the packet counts as handled for the peer, and the link goes on. A request handler
    /// never ends the link: its exception is the response.
    /// </summary>
    /// <value>The default is true.</value>
    public bool EndOnHandlerFailure { get; set; } = true;

    /// <summary>Gets or sets, for the side that connects, how long connecting to the endpoint may take; the handshake comes after it.
    /// </summary>
    /// <value>100 ms to 10 min; the default is 30 s.</value>
    public TimeSpan ConnectTimeout { get; set; } = UsualConnect;

    /// <summary>Gets or sets, for a listener, the least log level that peers should send; reported in Welcome.
    /// <see cref="Link.SetLevels"/> changes it later.</summary>
    /// <value>The default is <see cref="PacketLevel.Trace"/>: everything.</value>
    public PacketLevel MinimumLevel { get; set; }

    /// <summary>Gets or sets, for a listener, how many links it holds at once; more are answered Reject busy.</summary>
    /// <value>1 to 65,536; the default is 1,024.</value>
    public int MaxLinks { get; set; } = MostLinks;

    /// <summary>Gets or sets, for a listener, how many connections may be between connect and Welcome at once; one more closes the oldest,
    /// so that silent clients cannot keep a real one out.</summary>
    /// <value>1 to 65,536; the default is 256.</value>
    public int MaxPendingHandshakes { get; set; } = MostPending;

    /// <summary>Gets or sets how long Hello, and then Welcome, may take.</summary>
    /// <value>100 ms to 10 min; the default is 10 s.</value>
    public TimeSpan HandshakeTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets or sets how a peer that is silent or stands still is found out.</summary>
    /// <value>The default is <see cref="HeartbeatOptions"/>' own.</value>
    public HeartbeatOptions Heartbeat { get; set; } = new();

    /// <summary>Gets or sets how long closing may take: sending what is queued, the peer's Ack and its Goodbye.</summary>
    /// <value>100 ms to 1 h; the default is 30 s.</value>
    public TimeSpan CloseTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets or sets how many requests of the peer may be in work at once; more are answered with a failure.</summary>
    /// <value>1 to 65,536; the default is 1,024.</value>
    public int MaxRequests { get; set; } = 1024;

    /// <summary>Gets or sets the bytes that may wait to be read in each stream that this side asks for (<c>RequestStreamAsync</c>): the
    /// credit of its sender, which waits for more. An item counts its bytes and 32; one that is larger than what is left still
    /// arrives.</summary>
    /// <value>1 KiB to 64 MiB; the default is 256 KiB.</value>
    public int StreamWindowBytes { get; set; } = 256 << 10;

    /// <summary>Gets or sets the user ids that may be at the other end, besides this process's own.</summary>
    /// <value>At most 64 ids; the default is none.</value>
    public IReadOnlyList<int> AllowedUserIds { get; set; } = [];

    /// <summary>Gets or sets packet types whose names reports use if no handler names them: packets that are taken as bytes, or by
    /// nobody.</summary>
    /// <value>Empty by default. The side that connects says the first 128 to the other, whose reports use them for types that it does not
    /// know itself.</value>
    public IReadOnlyList<PacketType> KnownPackets { get; set; } = [];

    /// <summary>Gets or sets the clock of every deadline.</summary>
    /// <value>The default is the system's.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Gets or sets where the memory for packets comes from.</summary>
    /// <value>Null by default: a pool of the link's (or listener's) own, which keeps at most twice <see cref="MaxQueuedBytes"/> and
    /// 4 MiB.</value>
    public IBufferSource? Buffers { get; set; }

    /// <summary>Gets the node name of a checked copy.</summary>
    internal string OwnNode => Node!;

    /// <summary>Gets or sets the pool to use instead of one of the link's (or listener's) own; tests give one that accuses.</summary>
    internal SegmentPool? Pool { get; set; }

    /// <summary>Gives the pool of a link or listener: the one set, or a new one that keeps what two full queues and the largest windows
    /// need.</summary>
    internal SegmentPool GetOrCreatePool() =>
        Pool ?? (Buffers is null ? new ShelfPool((MaxQueuedBytes * 2) + (4 << 20)) : new SourcePool(Buffers));

    /// <summary>Checks every value for a listener.</summary>
    /// <returns>A copy that nobody else can change, with a name.</returns>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal LinkOptions ForListener() => CheckedCopy(isListener: true);

    /// <summary>Checks every value for the side that connects.</summary>
    /// <returns>A copy that nobody else can change, with a name.</returns>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal LinkOptions ForConnector() => CheckedCopy(isListener: false);

    /// <summary>Makes a checked copy for several links, one after the other, which share a pool.</summary>
    internal LinkOptions CopyWithPool()
    {
        LinkOptions copy = ForConnector();
        copy.Pool = GetOrCreatePool();
        return copy;
    }

    /// <summary>Gets or sets a value indicating whether a worker's link closes as soon as the main node asks it to finish.</summary>
    internal bool ClosesOnStop { get; set; } = true;

    /// <summary>Notes every value that cannot be used.</summary>
    internal void Check(OptionsCheck check, bool isListener)
    {
        check.Require(Node is null || NodeName.IsValid(Node), nameof(Node), $"\"{Node}\"", "1 to 64 characters of A-Z a-z 0-9 . _ -");
        check.Require(App is { Length: <= 200 }, nameof(App), App is null ? null : $"{App.Length} characters", "at most 200 characters");
        check.Bytes(nameof(MaxPacketBytes), MaxPacketBytes, 64 << 10, 1 << 30);
        check.Bytes(nameof(MaxQueuedBytes), MaxQueuedBytes, 64 << 10, 1 << 30);
        check.Bytes(nameof(MaxTableBytes), MaxTableBytes, 4 << 10, 16 << 20);
        CheckPolicy(check, nameof(UrgentPolicy), UrgentPolicy);
        CheckPolicy(check, nameof(NormalPolicy), NormalPolicy);
        CheckPolicy(check, nameof(BulkPolicy), BulkPolicy);
        check.Between(nameof(HandshakeTimeout), HandshakeTimeout, Least, TimeSpan.FromMinutes(10));
        check.Require(Heartbeat is not null, nameof(Heartbeat), null, "heartbeat options");
        Heartbeat?.Check(check.Within(nameof(Heartbeat)));
        check.Between(nameof(CloseTimeout), CloseTimeout, Least, TimeSpan.FromHours(1));
        check.Between(nameof(MaxRequests), MaxRequests, 1, 65_536);
        check.Bytes(nameof(StreamWindowBytes), StreamWindowBytes, 1 << 10, 64 << 20);
        object? ids = AllowedUserIds is null ? null : $"{AllowedUserIds.Count} ids";
        check.Require(AllowedUserIds is { Count: <= 64 }, nameof(AllowedUserIds), ids, "at most 64 ids");
        check.Require(KnownPackets?.Contains(null!) is false, nameof(KnownPackets), "null or with null", "a list of packet types");
        check.Require(TimeProvider is not null, nameof(TimeProvider), null, "a time provider");
        if (isListener)
        {
            bool isLevel = MinimumLevel is >= PacketLevel.Trace and <= PacketLevel.None;
            check.Require(isLevel, nameof(MinimumLevel), MinimumLevel, "Trace to Critical, None");
            check.Between(nameof(MaxPendingHandshakes), MaxPendingHandshakes, 1, 65_536);
            check.Between(nameof(MaxLinks), MaxLinks, 1, 65_536);
            check.Require(ConnectTimeout == UsualConnect, nameof(ConnectTimeout), ConnectTimeout, "nothing: a listener connects to nobody");
        }
        else
        {
            const string None = "nothing: only a listener has it";
            check.Between(nameof(ConnectTimeout), ConnectTimeout, Least, TimeSpan.FromMinutes(10));
            check.Require(MinimumLevel == PacketLevel.Trace, nameof(MinimumLevel), MinimumLevel, None);
            check.Require(MaxLinks == MostLinks, nameof(MaxLinks), MaxLinks, None);
            check.Require(MaxPendingHandshakes == MostPending, nameof(MaxPendingHandshakes), MaxPendingHandshakes, None);
        }
    }

    private LinkOptions CheckedCopy(bool isListener)
    {
        var check = new OptionsCheck();
        Check(check, isListener);
        check.ThrowIfWrong("options");
        var copy = (LinkOptions)MemberwiseClone();
        copy.Node ??= isListener ? "main" : "worker";
        copy.Heartbeat = Heartbeat.Copy();
        copy.AllowedUserIds = [.. AllowedUserIds];
        copy.KnownPackets = [.. KnownPackets];
        return copy;
    }

    private static void CheckPolicy(OptionsCheck check, string name, LanePolicy policy) =>
        check.Require(policy is LanePolicy.Refuse or LanePolicy.Drop, name, policy, "Refuse or Drop");
}
