using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>
/// Sends to a main node that may be slow, or away for a while: what does not fit the memory budget goes to a journal on disk and is sent
/// from there, in order, by this link, by a later one, or by a later process.
/// </summary>
/// <remarks>
/// <para>Sending works at once, from any thread, with a link or without. Links are made one after the other, by the function that gives
/// endpoint and secret for each attempt.</para>
/// <para>Delivery is at least once: what a link had not acknowledged when it ended is sent again. The main node drops what it has handled
/// (<see cref="SpillReceiver"/>), so that its handlers see each packet once.</para>
/// <para>What survives <c>kill -9</c> of this process: what is in the journal. What was sent directly, or queued for the journal, is in
/// memory, within the two budgets. docs/guide/spill.md says more.</para>
/// </remarks>
public sealed class SpillingSender : IPacketSender, IAsyncDisposable
{
    private const string NormalName = "normal";
    private const string BulkName = "bulk";

    /// <summary>How often a send that waits, and the end, look again: neither journal nor a missing link signals that there is
    /// capacity.</summary>
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(10);

    private readonly SpillOptions _options;
    private readonly SpillReports _reports;
    private readonly SpillLane?[] _lanes = new SpillLane?[(int)Lane.Bulk + 1];
    private readonly SpillLinks _links;
    private readonly object _closeGate = new();
    private Task<SpillStatus>? _closing;

    private SpillingSender(string directory, Func<SpillAttempt, CancellationToken, Task<SpillTarget?>> connect, SpillOptions options)
    {
        _options = options;
        _reports = new SpillReports(options.OnReport);
        directory = StoreChoice.PathOf(directory);
        MakeDirectory(options.Folders, directory);
        try
        {
            foreach (Lane lane in options.Lanes.OrderBy(static lane => lane))
            {
                OpenLane(directory, lane);
            }
        }
        catch
        {
            foreach (PacketJournal journal in Journals)
            {
                journal.Dispose();
            }

            throw;
        }

        _links = new SpillLinks(connect, options, _lanes, _reports);
    }

    /// <summary>Gets the link there is now, or null while the main node is away: for requests. What is sent by the link's own methods is
    /// neither kept nor spilled, whatever its lane.</summary>
    public Link? Link => _links.Link;

    /// <inheritdoc/>
    /// <remarks>While the main node is away these are the last ones received; before the first link everything is wanted.</remarks>
    public LevelRules Levels => _links.Levels;

    /// <summary>Gets the counts so far.</summary>
    public SpillStatus Status
    {
        get
        {
            var sum = new SpillStatus { Links = _links.Count, IsDelivered = true };
            foreach (SpillLane lane in Lanes)
            {
                sum = lane.AddTo(sum);
            }

            return sum;
        }
    }

    /// <summary>Gets a value indicating whether every lane that spills has a link and is caught up with.</summary>
    internal bool IsDirect => Lanes.All(static lane => lane.IsDirect);

    internal List<PacketJournal> Journals { get; } = [];

    private IEnumerable<SpillLane> Lanes => _lanes.OfType<SpillLane>();

    /// <summary>Opens the journals in a directory, or makes them, and begins to connect. What an earlier process left there is sent
    /// first.</summary>
    /// <param name="directory">The directory, made if it is missing; each lane that spills has a journal of its own in it (<c>normal</c>,
    /// <c>bulk</c>; mode 0700). One sender at a time.</param>
    /// <param name="connect">Gives endpoint and secret for an attempt: a secret is good for one link, so each attempt that reached a main
    /// node needs another (<c>LinkListener.Expect</c>, <c>LinkTicket</c>). Null, and an exception, mean: none now; it is asked again after
    /// a pause.</param>
    /// <param name="options">The options; null: the defaults. Copied.</param>
    /// <returns>The sender. It takes packets at once.</returns>
    /// <exception cref="JournalException">
    /// As for <see cref="PacketJournal.Open"/>: <see cref="JournalFault.Damaged"/>, and nothing is changed, if something that was spilled
    /// cannot be read and <see cref="JournalOptions.SetDamagedAside"/> is off; <see cref="JournalFault.NotAJournal"/>: the journal
    /// of something else too.
    /// </exception>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="directory"/> or <paramref name="connect"/> is null.</exception>
    public static SpillingSender Open(
        string directory, Func<SpillAttempt, CancellationToken, Task<SpillTarget?>> connect, SpillOptions? options = null) =>
        new(
            directory ?? throw new ArgumentNullException(nameof(directory)),
            connect ?? throw new ArgumentNullException(nameof(connect)),
            (options ?? new SpillOptions()).CheckedCopy());

    /// <summary>Takes a packet. Never waits: it is serialized on the caller's thread and given to the link, or to the journal if the link
    /// has no capacity or is away.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="packet">The packet; the caller may reuse it at once.</param>
    /// <param name="lane">The lane; null: the type's own. In a lane that does not spill it is as <c>Link.TrySend</c>, and Full while there
    /// is no link.</param>
    /// <param name="policy">As for <c>Link.TrySend</c>; it changes nothing in a lane that spills.</param>
    /// <returns>Queued: it is in memory or in the journal, and will be sent; Full: the journal takes nothing
    /// (<see cref="SpillOptions.OnReport"/> says why), the packet was not taken; Closed.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: above <see cref="SpillOptions.MaxPacketBytes"/>;
    /// <see cref="TransportFault.PacketMalformed"/>: the formatter wrote anything but one MessagePack value.</exception>
    /// <exception cref="ArgumentException">A lane or type that is not for callers.</exception>
    /// <exception cref="InvalidOperationException">The call comes from inside a formatter that writes for this sender.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    public SendResult TrySend<T>(PacketType<T> type, T packet, Lane? lane = null, LanePolicy? policy = null)
    {
        Lane chosen = Choose(type, lane);
        return _lanes[(int)chosen] is { } spills
            ? Counted(spills, spills.TrySend(type, ArgumentGuard.NotNull(packet, nameof(packet))))
            : WithoutLink(Link?.TrySend(type, packet, chosen, policy));
    }

    /// <summary>Takes a packet that is bytes already, as <see cref="TrySend{T}"/> does.</summary>
    /// <param name="type">The packet type, 256 to 65535 but for the link's own.</param>
    /// <param name="body">One MessagePack value; copied before the call returns.</param>
    /// <param name="lane">The lane.</param>
    /// <returns>Queued, Full or Closed.</returns>
    /// <exception cref="TransportException">As for <see cref="TrySend{T}"/>.</exception>
    public SendResult TrySendRaw(ushort type, ReadOnlySpan<byte> body, Lane lane = Lane.Normal)
    {
        PacketType.CheckRaw(type, body);
        return _lanes[(int)Checked(lane)] is { } spills
            ? Counted(spills, spills.TrySendRaw(type, body))
            : WithoutLink(Link?.TrySendRaw(type, body, lane));
    }

    /// <inheritdoc/>
    /// <remarks>It waits until the journal takes the packet; in a lane that does not spill, until there is a link with capacity.</remarks>
    public ValueTask<SendResult> SendAsync<T>(
        PacketType<T> type, T packet, Lane? lane = null, CancellationToken cancellationToken = default)
    {
        Lane chosen = Choose(type, lane);
        SendResult result = _lanes[(int)chosen]?.TrySend(type, ArgumentGuard.NotNull(packet, nameof(packet))) ?? SendResult.Full;
        return result == SendResult.Full ? WaitAsync(type, packet, chosen, cancellationToken) : new ValueTask<SendResult>(result);
    }

    /// <inheritdoc/>
    public ValueTask<SendResult> SendRawAsync(
        ushort type, ReadOnlyMemory<byte> body, Lane lane = Lane.Normal, CancellationToken cancellationToken = default)
    {
        PacketType.CheckRaw(type, body.Span);
        return WaitAsync(
            Checked(lane),
            spills => spills.TrySendRaw(type, body.Span),
            link => link.SendRawAsync(type, body, lane, cancellationToken),
            cancellationToken);
    }

    /// <inheritdoc/>
    /// <remarks>It blocks as long as <see cref="SendAsync{T}"/> would wait. <see cref="SpillStatus.Refused"/> counts a packet that was
    /// not taken in time.</remarks>
    public SendResult Send<T>(PacketType<T> type, T packet, TimeSpan timeout, Lane? lane = null)
    {
        Lane chosen = Choose(type, lane);
        ArgumentGuard.NotNull(packet, nameof(packet));
        return Wait(
            chosen, spills => spills.TrySend(type, packet), (link, left) => link.Send(type, packet, left, chosen), timeout);
    }

    /// <inheritdoc/>
    public SendResult SendRaw(ushort type, ReadOnlySpan<byte> body, TimeSpan timeout, Lane lane = Lane.Normal)
    {
        PacketType.CheckRaw(type, body);
        byte[] copy = body.ToArray();
        return Wait(
            Checked(lane),
            spills => spills.TrySendRaw(type, copy),
            (link, left) => link.SendRaw(type, copy, left, lane),
            timeout);
    }

    /// <summary>Takes nothing more, and waits until everything is acknowledged; then says Goodbye and closes the journals. What is not
    /// acknowledged by then stays in the journals, for the next <see cref="Open"/>: nothing is lost by closing.</summary>
    /// <param name="timeout">How long to wait for the main node, also while it is away; <see cref="Timeout.InfiniteTimeSpan"/>: without
    /// limit; zero or another negative time: not at all; null (default): while there is a link, at most
    /// <see cref="LinkOptions.CloseTimeout"/>, and not at all without one.</param>
    /// <param name="cancellationToken">Cancelled: the time is over at once; the first call's counts. That throws nothing.</param>
    /// <returns>What was done; <see cref="SpillStatus.IsDelivered"/> says whether anything is left. Never throws; may be called
    /// again.</returns>
    public Task<SpillStatus> CloseAsync(TimeSpan? timeout = null, CancellationToken cancellationToken = default)
    {
        lock (_closeGate)
        {
            return _closing ??= Task.Run(() => EndAsync(timeout, cancellationToken), CancellationToken.None);
        }
    }

    /// <summary>Closes as <see cref="CloseAsync"/> does with the defaults.</summary>
    /// <returns>Completes when it is over.</returns>
    public async ValueTask DisposeAsync() => await CloseAsync().ConfigureAwait(false);

    private Lane Choose<T>(PacketType<T> type, Lane? lane) =>
        type is null ? throw new ArgumentNullException(nameof(type)) : Checked(lane ?? type.Lane);

    /// <summary>A formatter holds its lane's lock; if it took another's, two of them could wait for each other forever.</summary>
    private Lane Checked(Lane lane) => Array.Exists(_lanes, static l => l is { IsFormattingHere: true })
        ? throw new InvalidOperationException("A packet formatter must not send through the sender that it writes for.")
        : lane is >= Lane.Urgent and <= Lane.Bulk
            ? lane
            : throw new ArgumentOutOfRangeException(nameof(lane), lane, "Callers may use Urgent, Normal and Bulk.");

    private static SendResult Counted(SpillLane lane, SendResult result)
    {
        if (result == SendResult.Full)
        {
            lane.NoteRefused();
        }

        return result;
    }

    /// <summary>A link that is missing, or closed, has no capacity: there may be another.</summary>
    private SendResult WithoutLink(SendResult? result) => result is { } known and not SendResult.Closed ? known
        : _links.Stopping.IsCancellationRequested ? SendResult.Closed
        : SendResult.Full;

    private async Task<SpillStatus> EndAsync(TimeSpan? timeout, CancellationToken cancellationToken)
    {
        foreach (SpillLane lane in Lanes)
        {
            lane.StopTaking();
        }

        var deadline = new Deadline(_options.Link.TimeProvider, timeout ?? _options.Link.CloseTimeout);
        while (!Lanes.All(l => l.IsSettled) && Remaining() != TimeSpan.Zero
            && (timeout is not null || Link is not null))
        {
            await _links.PauseAsync(Look, cancellationToken).ConfigureAwait(false);
        }

        TimeSpan left = Remaining();
        _links.Stop(left == Timeout.InfiniteTimeSpan || left > Look ? left : Look);
        await _links.Completion.ConfigureAwait(false);
        foreach (SpillLane lane in Lanes)
        {
            await lane.CloseAsync().ConfigureAwait(false);
        }

        await _reports.Reported.ConfigureAwait(false);
        return Status;

        TimeSpan Remaining() => cancellationToken.IsCancellationRequested ? TimeSpan.Zero : deadline.Left;
    }

    private void OpenLane(string directory, Lane lane)
    {
        string name = lane == Lane.Normal ? NormalName : BulkName;
        PacketJournal journal = PacketJournal.Open(Path.Combine(directory, name), _options.Journal);
        Journals.Add(journal);
        _lanes[(int)lane] = new SpillLane(lane, journal, new JournalNode(name), _reports, _options);
    }

    /// <summary>Makes the directory durable before there is anything in it; if a lane has one in it, that was done.</summary>
    private static void MakeDirectory(IFolders folders, string directory)
    {
        try
        {
            if (!folders.Exists(Path.Combine(directory, NormalName)) && !folders.Exists(Path.Combine(directory, BulkName)))
            {
                DurableFolder.Make(folders, directory);
            }
        }
        catch (StoreException e)
        {
            throw Faults.From(e, JournalFault.WriteFailed);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new JournalException(
                e is IOException ? JournalFault.NotAJournal : JournalFault.NoAccess,
                $"\"{directory}\" cannot be made: {e.Message.TrimEnd('.')}. Name a directory that may be written.",
                e);
        }
    }

    private ValueTask<SendResult> WaitAsync<T>(PacketType<T> type, T packet, Lane lane, CancellationToken cancellationToken) =>
        WaitAsync(
            lane,
            spills => spills.TrySend(type, packet),
            link => link.SendAsync(type, packet, lane, cancellationToken),
            cancellationToken);

    private async ValueTask<SendResult> WaitAsync(
        Lane lane, Func<SpillLane, SendResult> spill, Func<Link, ValueTask<SendResult>> send, CancellationToken cancellationToken)
    {
        while (true)
        {
            SendResult result = _lanes[(int)lane] is { } spills ? spill(spills)
                : Link is { } link ? WithoutLink(await send(link).ConfigureAwait(false))
                : WithoutLink(null);
            if (result != SendResult.Full)
            {
                return result;
            }

            await _links.PauseAsync(Look, cancellationToken).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    private SendResult Wait(Lane lane, Func<SpillLane, SendResult> spill, Func<Link, TimeSpan, SendResult> send, TimeSpan timeout)
    {
        var deadline = new Deadline(_options.Link.TimeProvider, timeout);
        while (true)
        {
            SpillLane? spills = _lanes[(int)lane];
            SendResult result = spills is not null ? spill(spills) : WithoutLink(Link is { } link ? send(link, deadline.Left) : null);
            TimeSpan left = deadline.Left;
            if (result != SendResult.Full || left == TimeSpan.Zero)
            {
                return spills is null ? result : Counted(spills, result);
            }

            _links.Stopping.WaitHandle.WaitOne(left != Timeout.InfiniteTimeSpan && left < Look ? left : Look);
        }
    }
}
