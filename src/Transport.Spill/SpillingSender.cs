using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;

namespace Transport.Spill;

/// <summary>
/// Sends to a main node that may be slow, or away for a while: what does not fit the memory budget goes to a journal on disk and is sent from there, in order, by this link, by a later one, or by a later process.
/// </summary>
/// <remarks>
/// <para>Sending works at once, from any thread, with a link or without. Links are made one after the other, by the function that gives endpoint and secret for each attempt.</para>
/// <para>Delivery is at least once: what a link had not acknowledged when it ended is sent again. The main node drops what it has handled (<see cref="SpillReceiver"/>), so that its handlers see each packet once.</para>
/// <para>What survives <c>kill -9</c> of this process: what is in the journal. What was sent directly, or queued for the journal, is in memory, within the two budgets. docs/spill.md says more.</para>
/// </remarks>
public sealed partial class SpillingSender : IAsyncDisposable
{
    private const string NormalName = "normal";
    private const string BulkName = "bulk";

    private readonly Func<SpillAttempt, CancellationToken, Task<SpillTarget?>> _connect;
    private readonly SpillOptions _options;
    private readonly LinkOptions _linkOptions;
    private readonly SpillReports _reports;
    private readonly SpillLane?[] _lanes = new SpillLane?[4];
    private readonly CancellationTokenSource _stopping = new();
    private readonly object _closeGate = new();
    private readonly Task _running;
    private Task<SpillStatistics>? _closing;
    private Link? _link;
    private long _links;

    private SpillingSender(string directory, Func<SpillAttempt, CancellationToken, Task<SpillTarget?>> connect, SpillOptions options)
    {
        (_connect, _options) = (connect, options);
        _reports = new SpillReports(options.Reported);
        _linkOptions = options.Link.CopyFor(new Taker(this));
        directory = StoreChoice.PathOf(directory);
        MakeDirectory(options.Folders, directory);
        try
        {
            OpenLane(directory, Lane.Normal, _linkOptions.NormalPolicy);
            OpenLane(directory, Lane.Bulk, _linkOptions.BulkPolicy);
        }
        catch
        {
            foreach (PacketJournal journal in Journals)
            {
                journal.Dispose();
            }

            throw;
        }

        _running = Task.Run(RunAsync);
    }

    /// <summary>Gets the link there is now, or null while the main node is away. For requests and for lanes that do not spill; its <c>Send</c> of a lane that spills does what <see cref="TrySend{T}"/> does, while <c>SendAsync</c> and <c>SendWait</c> wait for room and spill nothing.</summary>
    public Link? Link => Volatile.Read(ref _link);

    /// <summary>Gets what it has done so far.</summary>
    public SpillStatistics Statistics
    {
        get
        {
            var sum = new SpillStatistics { Links = Volatile.Read(ref _links), IsDelivered = true };
            foreach (SpillLane lane in Lanes)
            {
                sum = lane.AddTo(sum);
            }

            return sum;
        }
    }

    /// <summary>Gets a value indicating whether every lane that spills has a link and is caught up with.</summary>
    internal bool IsDirect => Lanes.All(static lane => lane.IsDirect);

    private IEnumerable<SpillLane> Lanes
    {
        get
        {
            foreach (SpillLane? lane in _lanes)
            {
                if (lane is not null)
                {
                    yield return lane;
                }
            }
        }
    }

    internal List<PacketJournal> Journals { get; } = [];

    /// <summary>Opens the journals in a directory, or makes them, and begins to connect. What an earlier process left there is sent first.</summary>
    /// <param name="directory">The directory, made where it is not there; each lane that spills has a journal of its own in it (<c>normal</c>, <c>bulk</c>; mode 0700). One sender at a time.</param>
    /// <param name="connect">Gives endpoint and secret for an attempt: a secret is good for one link, so each attempt that reached a main node needs another (<c>LinkListener.Expect</c>, <c>LinkTicket</c>). Null, and an exception, mean: none now; it is asked again after a pause.</param>
    /// <param name="options">The options; null: the defaults. Copied.</param>
    /// <returns>The sender. It takes packets at once.</returns>
    /// <exception cref="JournalException">
    /// As for <see cref="PacketJournal.Open"/>: <see cref="JournalFault.Damaged"/>, and nothing is changed, where something that was spilled cannot be read and <see cref="JournalOptions.OnDamage"/> does not set it aside;
    /// <see cref="JournalFault.NotAJournal"/>: the journal of something else too; <see cref="JournalFault.BadOptions"/> for the options here too.
    /// </exception>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>: those of the link.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="directory"/> or <paramref name="connect"/> is null.</exception>
    public static SpillingSender Open(string directory, Func<SpillAttempt, CancellationToken, Task<SpillTarget?>> connect, SpillOptions? options = null) =>
        new(
            directory ?? throw new ArgumentNullException(nameof(directory)),
            connect ?? throw new ArgumentNullException(nameof(connect)),
            (options ?? new SpillOptions()).CheckedCopy());

    /// <summary>Takes a packet. Never waits: it is serialized on the caller's thread and given to the link, or to the journal where the link has no room or is away.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="packet">The packet; the caller may reuse it at once.</param>
    /// <param name="lane">The lane; null: the type's own. In a lane that does not spill it is as <c>Link.TrySend</c>, and Full while there is no link.</param>
    /// <returns>Queued: it is in memory or in the journal, and will be sent; Full: the journal takes nothing (<see cref="SpillOptions.Reported"/> told why), the packet was not taken; Closed.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: above <see cref="SpillOptions.MaxPacketBytes"/>; <see cref="TransportFault.PacketMalformed"/>: the formatter wrote anything but one MessagePack value; <see cref="TransportFault.BadOptions"/>: a lane or type that is not for callers.</exception>
    /// <exception cref="InvalidOperationException">The call comes from inside a formatter of this lane.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    public SendResult TrySend<T>(PacketType<T> type, T packet, Lane? lane = null)
    {
        Lane chosen = lane ?? (type ?? throw new ArgumentNullException(nameof(type))).Lane;
        return LaneOf(chosen) is { } spills ? spills.Send(type, packet) : Link?.TrySend(type, packet, chosen) ?? WithoutLink;
    }

    /// <summary>Takes a packet that is bytes already, as <see cref="TrySend{T}"/> does.</summary>
    /// <param name="type">The packet type, 256 to 65535 but for the link's own.</param>
    /// <param name="body">One MessagePack value; copied before the call returns.</param>
    /// <param name="lane">The lane.</param>
    /// <returns>Queued, Full or Closed.</returns>
    /// <exception cref="TransportException">As for <see cref="TrySend{T}"/>.</exception>
    public SendResult TrySendRaw(int type, ReadOnlySpan<byte> body, Lane lane = Lane.Normal)
    {
        Link.CheckRaw(type, body);
        return LaneOf(lane) is { } spills ? spills.SendRaw((ushort)type, body) : Link?.TrySendRaw(type, body, lane) ?? WithoutLink;
    }

    /// <summary>Takes nothing more, and waits until everything is acknowledged; then says Goodbye and closes the journals. What is not acknowledged by then stays in the journals, for the next <see cref="Open"/>: nothing is lost by closing.</summary>
    /// <param name="deadline">How long to wait for the main node, also while it is away; null: while there is a link, at most <see cref="LinkOptions.CloseTimeout"/>, and not at all without one.</param>
    /// <returns>What was done; <see cref="SpillStatistics.IsDelivered"/> says whether anything is left. Never throws; may be called again.</returns>
    public Task<SpillStatistics> CloseAsync(TimeSpan? deadline = null)
    {
        lock (_closeGate)
        {
            return _closing ??= Task.Run(() => EndAsync(deadline));
        }
    }

    /// <summary>Closes as <see cref="CloseAsync"/> does with the defaults.</summary>
    /// <returns>Completes when it is over.</returns>
    public async ValueTask DisposeAsync() => await CloseAsync().ConfigureAwait(false);

    private SendResult WithoutLink => _stopping.IsCancellationRequested ? SendResult.Closed : SendResult.Full;

    private SpillLane? LaneOf(Lane lane) => lane is >= Lane.Urgent and <= Lane.Bulk
        ? _lanes[(int)lane]
        : throw new TransportException(TransportFault.BadOptions, $"Lane {lane}: callers may use Urgent, Normal and Bulk.");

    private void OpenLane(string directory, Lane lane, LanePolicy policy)
    {
        if (policy == LanePolicy.Spill)
        {
            string name = lane == Lane.Normal ? NormalName : BulkName;
            PacketJournal journal = PacketJournal.Open(Path.Combine(directory, name), _options.Journal);
            Journals.Add(journal);
            _lanes[(int)lane] = new SpillLane(lane, journal, new JournalNode(name), _reports, _linkOptions, Math.Min(_options.MaxPacketBytes, _options.Journal.MaxPacketBytes - SpillPacket.Overhead));
        }
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
            throw new JournalException(e is IOException ? JournalFault.NotAJournal : JournalFault.NoAccess, $"\"{directory}\" cannot be made: {e.Message.TrimEnd('.')}. Name a directory that may be written.", e);
        }
    }

    /// <summary>What the links of this sender see of it.</summary>
    private sealed class Taker(SpillingSender sender) : ISpill
    {
        public SendResult Send<T>(PacketType<T> type, T packet, Lane lane) => sender._lanes[(int)lane]!.Send(type, packet);

        public SendResult SendRaw(ushort type, ReadOnlySpan<byte> body, Lane lane) => sender._lanes[(int)lane]!.SendRaw(type, body);

        public void Acknowledged(Lane lane, SpillNumber number) => sender._lanes[(int)lane]!.Acknowledge(number);
    }
}
