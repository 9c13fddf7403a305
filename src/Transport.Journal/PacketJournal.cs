using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>
/// An append-only journal of packets in a directory: what it has acknowledged is as safe as its policy says, whatever happens to the
/// process, the machine or the space on the disk.
/// </summary>
/// <remarks>
/// All members may be called by any number of threads at once. Positions rise in the order of appends, and acknowledging one acknowledges
/// all before it.
/// Bodies are copied before an append returns; nothing is allocated for a packet. One journal writes a directory at a time; readers need
/// no permission of it.
/// Close it (<see cref="CloseAsync"/>, or dispose of it): one that was not closed is repaired when it is opened, and positions then jump.
/// </remarks>
public sealed class PacketJournal : IDisposable, IAsyncDisposable
{
    private readonly AppendEngine _engine;
    private readonly JournalOptions _options;

    private PacketJournal(OpenedJournal opened, JournalOptions options, (string Name, string Reason) backEnd)
    {
        _options = options;
        var times = new CommitTimes();
        if (options.Blocks is { } blocks && opened.Writer.Pending is not null)
        {
            blocks.Dispose();
            (options.Blocks, backEnd) = (null, ("write", "the disk was full when the journal was opened"));
        }
        else if (options.Blocks is not null)
        {
            opened.Writer.UseBlocks(options.Blocks, times.Add);
        }

        _engine = new AppendEngine(options, opened.Directory, opened.Writer, times);
        Directory = opened.Directory.Path;
        Id = opened.Id;
        Epoch = opened.Writer.Epoch;
        Recovery = opened.Recovery;
        (BackEnd, BackEndReason) = backEnd;
        JournalEventSource.Log.Opened(Directory, backEnd.Name, backEnd.Reason);
        if (Recovery.Line is { } line)
        {
            JournalEventSource.Log.Repaired(line);
        }
    }

    /// <summary>
    /// Opens the journal in a directory for writing, or makes one. A torn tail is cut off and kept as a <c>*.torn</c> file; what is kept
    /// is synced before this returns.
    /// </summary>
    /// <param name="directory">The directory; empty or missing if there is no journal yet.</param>
    /// <param name="options">The options; null: the defaults.</param>
    /// <returns>The journal. <see cref="Recovery"/> says what was found.</returns>
    /// <exception cref="JournalException">
    /// <see cref="JournalFault.InUse"/>: it is open for writing elsewhere;
    /// <see cref="JournalFault.NotAJournal"/>: the directory holds something else, or is not there and
    /// <see cref="JournalOptions.Create"/> is off; <see cref="JournalFault.Damaged"/>; <see cref="JournalFault.TooNew"/>;
    /// <see cref="JournalFault.NoAccess"/>; <see cref="JournalFault.NotPrivate"/>; <see cref="JournalFault.DiskFull"/>;
    /// <see cref="JournalFault.JournalFull"/>; <see cref="JournalFault.BackEndUnavailable"/>;
    /// <see cref="JournalFault.TooFewDescriptors"/>; <see cref="JournalFault.ReadFailed"/>, <see cref="JournalFault.WriteFailed"/>,
    /// <see cref="JournalFault.SyncFailed"/>.
    /// </exception>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="directory"/> is null.</exception>
    public static PacketJournal Open(string directory, JournalOptions? options = null) 
    {
        if (directory is null)
        {
            throw new ArgumentNullException(nameof(directory));
        }

        JournalOptions copy = (options ?? new JournalOptions()).CheckedCopy();
        string path = copy.Store is null ? StoreChoice.PathOf(directory) : directory;
        (string Name, string Reason) backEnd = BackEndChoice.For(copy, path);
        OpenedJournal? opened = null;
        try
        {
            opened = Opening.Run(copy.Store ?? StoreChoice.For(path), copy, $"{backEnd.Name} ({backEnd.Reason})");
            if (copy.Store is null)
            {
                Headroom.ThrowIfLacking();
            }

            return new PacketJournal(opened, copy, backEnd);
        }
        catch
        {
            copy.Blocks?.Dispose();
            opened?.Writer.Dispose();
            opened?.Directory.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Reads all of a journal and reports whether it is valid; never changes a file. Beside a writer it says so
    /// (<see cref="JournalReport.IsBeingWritten"/>), and judges what was whole when it looked.
    /// </summary>
    /// <param name="directory">The directory.</param>
    /// <returns>The report; a damaged journal is a report, not an exception.</returns>
    /// <exception cref="JournalException">
    /// <see cref="JournalFault.NotAJournal"/>, <see cref="JournalFault.NoAccess"/>, <see cref="JournalFault.TooNew"/>,
    /// <see cref="JournalFault.ReadFailed"/>.
    /// </exception>
    /// <exception cref="ArgumentNullException"><paramref name="directory"/> is null.</exception>
    public static JournalReport Verify(string directory) =>
        JournalVerifier.Verify(StoreChoice.For(directory ?? throw new ArgumentNullException(nameof(directory))));

    /// <summary>Reads all of a journal as <see cref="Verify"/> does, and counts what it holds.</summary>
    /// <param name="directory">The directory.</param>
    /// <returns>The survey, with the report.</returns>
    /// <exception cref="JournalException">As with <see cref="Verify"/>.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="directory"/> is null.</exception>
    public static JournalSurvey Survey(string directory) =>
        JournalVerifier.Survey(StoreChoice.For(directory ?? throw new ArgumentNullException(nameof(directory))));

    /// <summary>
    /// Drops whole old segments of a journal that nobody has open for writing (else: <see cref="Compact(JournalRetention)"/>). The last
    /// segment always stays, as it is: a torn tail is not repaired, no close record is written.
    /// </summary>
    /// <param name="directory">The directory.</param>
    /// <param name="retention">What is kept.</param>
    /// <param name="timeProvider">For ages; null: <see cref="TimeProvider.System"/>.</param>
    /// <returns>What was done.</returns>
    /// <exception cref="JournalException">
    /// <see cref="JournalFault.InUse"/>, <see cref="JournalFault.NotAJournal"/>, <see cref="JournalFault.NoAccess"/>,
    /// <see cref="JournalFault.TooNew"/>, <see cref="JournalFault.Damaged"/>: a segment cannot be read as it was written;
    /// <see cref="JournalFault.WriteFailed"/>.
    /// </exception>
    /// <exception cref="ArgumentException">An argument is null, or <paramref name="retention"/> has a negative number.</exception>
    public static JournalCompaction Compact(string directory, JournalRetention retention, TimeProvider? timeProvider = null) =>
        JournalCompactor.Compact(StoreChoice.For(directory ?? throw new ArgumentNullException(nameof(directory))),
            (retention ?? throw new ArgumentNullException(nameof(retention))).Checked(), timeProvider ?? TimeProvider.System);

    /// <summary>Gets the directory.</summary>
    public string Directory { get; }

    /// <summary>Gets the journal's id, made with it and kept for good.</summary>
    public Guid Id { get; }

    /// <summary>Gets which opening of the journal this is, counted from 1.</summary>
    public uint Epoch { get; }

    /// <summary>Gets the policy.</summary>
    public JournalSync Sync => _options.Sync;

    /// <summary>Gets the back end that was chosen: <c>write</c> or <c>uring</c>.</summary>
    public string BackEnd { get; }

    /// <summary>Gets why that one.</summary>
    public string BackEndReason { get; }

    /// <summary>Gets the oldest segment; null for the moment in which all are dropped and the next is not there yet.</summary>
    internal SegmentEntry? Oldest => _engine.Directory.Oldest;

    /// <inheritdoc cref="SegmentDirectory.IsWholeInFront"/>
    internal bool IsWholeInFront => _engine.Directory.IsWholeInFront;

    /// <summary>Gets a value indicating whether the disk had no space to note this opening, and has had none since: as long as that is so,
    /// the next opening may give out the same positions.</summary>
    internal bool MayRepeatPositions => _engine.MayRepeatPositions;

    /// <summary>Gets the position up to which a record stands in the files.</summary>
    internal long InFiles => _engine.InFiles;

    /// <summary>Gets the result of opening: the state that was found, and repairs.</summary>
    public JournalRecovery Recovery { get; }

    /// <summary>
    /// Gets the position of the packet appended last; it may still wait to be written. Before the first append: that after which it will
    /// come. If appends are refused, it falls back: nobody was given their positions, and the next append is.
    /// </summary>
    public long Appended => _engine.Appended;

    /// <summary>Gets the position up to which packets are acknowledged: synced (Always, Group) or written (EverySecond, No).</summary>
    public long Committed => _engine.Committed;

    /// <summary>Gets the position up to which packets are synced.</summary>
    public long Synced => _engine.Synced;

    /// <summary>
    /// Gets why the journal takes nothing more, or null while it does. A full disk or journal is no failure: appends go on once there is
    /// capacity.
    /// </summary>
    public JournalException? Failure => _engine.Failure;

    /// <summary>
    /// Gets why the journal takes nothing at present (<see cref="JournalFault.DiskFull"/>, <see cref="JournalFault.JournalFull"/>,
    /// <see cref="JournalFault.TooFewDescriptors"/>), or null while it does. It goes on by itself once there is capacity. A journal into
    /// which nothing is appended does not notice.
    /// </summary>
    public JournalException? Obstacle => _engine.Obstacle;

    /// <summary>Gets a value indicating whether it is closed or has failed.</summary>
    internal bool IsOver => _engine.IsOver;

    /// <summary>Gets a snapshot of what it has done.</summary>
    public JournalStatus Status => _engine.Status(BackEnd, BackEndReason);

    /// <summary>
    /// Appends a packet and waits until it is acknowledged. If nobody else is at it, the calling thread itself writes and syncs.
    /// </summary>
    /// <param name="node">The node that it came from.</param>
    /// <param name="type">The packet type.</param>
    /// <param name="body">The body.</param>
    /// <param name="time">When it was taken; the default value: now.</param>
    /// <returns>Its position.</returns>
    /// <exception cref="JournalException">
    /// It is not acknowledged: <see cref="JournalFault.PacketTooLarge"/>, <see cref="JournalFault.DiskFull"/>,
    /// <see cref="JournalFault.JournalFull"/> (nothing of it is kept); <see cref="JournalFault.Closed"/>;
    /// <see cref="JournalFault.SyncFailed"/>, <see cref="JournalFault.WriteFailed"/> (it may be found when the journal is opened anew, or
    /// not).
    /// </exception>
    /// <exception cref="ArgumentNullException"><paramref name="node"/> is null.</exception>
    public long Append(JournalNode node, ushort type, ReadOnlySpan<byte> body, DateTimeOffset time = default) =>
        _engine.Append(node, type, body, time);

    /// <summary>
    /// Appends several packets, which keep their order and have nothing between them, and waits once until all are acknowledged.
    /// </summary>
    /// <param name="packets">The packets; none is allowed, and does nothing.</param>
    /// <returns>The last one's position.</returns>
    /// <exception cref="JournalException">
    /// As with one packet; all of them are then not acknowledged. A packet that is too large is found before any is taken. If there is no
    /// capacity, none is kept; but of packets that together are longer than <see cref="JournalOptions.SegmentBytes"/> the first ones may
    /// be.
    /// </exception>
    /// <exception cref="ArgumentNullException">A packet has no node.</exception>
    public long Append(ReadOnlySpan<JournalPacket> packets) => _engine.Append(packets);

    /// <summary>Appends a packet; the task completes when it is acknowledged. Completions run on the thread pool.</summary>
    /// <param name="node">The node that it came from.</param>
    /// <param name="type">The packet type.</param>
    /// <param name="body">The body; copied before this returns.</param>
    /// <param name="time">When it was taken; the default value: now.</param>
    /// <param name="cancellationToken">Ends the wait; the packet stays appended. Cancelled before the call: nothing is appended.</param>
    /// <returns>
    /// A task of its position, to be awaited once. It is never refused for a full queue: awaiting it is what keeps the queue short, and
    /// what is not awaited is held in memory beyond <see cref="JournalOptions.MaxQueuedBytes"/> too.
    /// </returns>
    /// <exception cref="JournalException">
    /// From the task: as with <see cref="Append(JournalNode, ushort, ReadOnlySpan{byte}, DateTimeOffset)"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException">From the task: the wait was cancelled.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="node"/> is null.</exception>
    public ValueTask<long> AppendAsync(JournalNode node, ushort type, ReadOnlySpan<byte> body, DateTimeOffset time = default,
        CancellationToken cancellationToken = default) => cancellationToken.IsCancellationRequested
        ? new(Task.FromCanceled<long>(cancellationToken))
        : UntilAsync(_engine.AppendAsync(node, type, body, time), cancellationToken);

    /// <summary>
    /// Appends several packets as <see cref="Append(ReadOnlySpan{JournalPacket})"/> does; the task completes when all are acknowledged.
    /// </summary>
    /// <param name="packets">The packets.</param>
    /// <param name="cancellationToken">Ends the wait; the packets stay appended. Cancelled before the call: nothing is appended.</param>
    /// <returns>A task of the last one's position, to be awaited once.</returns>
    /// <exception cref="JournalException">From the task: as with one packet.</exception>
    /// <exception cref="OperationCanceledException">From the task: the wait was cancelled.</exception>
    /// <exception cref="ArgumentNullException">A packet has no node.</exception>
    public ValueTask<long> AppendAsync(ReadOnlySpan<JournalPacket> packets, CancellationToken cancellationToken = default) =>
        cancellationToken.IsCancellationRequested
            ? new(Task.FromCanceled<long>(cancellationToken))
            : UntilAsync(_engine.AppendAsync(packets), cancellationToken);

    /// <summary>
    /// Queues a packet and returns at once; a thread of the journal's own writes it soon: with what is committed next, once half of
    /// <see cref="JournalOptions.BatchBytes"/> waits, or after 10 ms (2 ms under EverySecond and No). Never throws for the state of
    /// journal or disk.
    /// </summary>
    /// <param name="node">The node that it came from.</param>
    /// <param name="type">The packet type.</param>
    /// <param name="body">The body.</param>
    /// <param name="position">Its position if it is queued, 0 otherwise. Wait for it with <see cref="CommitAsync"/>.</param>
    /// <param name="time">When it was taken; the default value: now.</param>
    /// <returns>
    /// <see cref="SendResult.Queued"/>: it has a position, and is acknowledged when <see cref="Committed"/> has reached that.
    /// <see cref="SendResult.Full"/>: <see cref="JournalOptions.MaxQueuedBytes"/> wait to be written, <see cref="JournalOptions.MaxBytes"/>
    /// is reached and nothing may be dropped, the disk was full when the last segment was to be made, or a sync of
    /// <see cref="JournalSync.EverySecond"/> has run for more than a second. <see cref="SendResult.Closed"/>: the journal is closed or has
    /// failed (<see cref="Failure"/>). What is not queued is not kept.
    /// </returns>
    /// <exception cref="JournalException"><see cref="JournalFault.PacketTooLarge"/>.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="node"/> is null.</exception>
    public SendResult TryAppend(JournalNode node, ushort type, ReadOnlySpan<byte> body, out long position,
        DateTimeOffset time = default) => _engine.TryAppend(node, type, body, time, out position);

    /// <summary>Waits until all packets up to a position are acknowledged.</summary>
    /// <param name="position">A position at most <see cref="Appended"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A task that completes at once if that is so already. Await it once.</returns>
    /// <exception cref="JournalException">
    /// From the task: the journal failed, or what was queued there was refused (<see cref="JournalFault.DiskFull"/>,
    /// <see cref="JournalFault.JournalFull"/>).
    /// </exception>
    /// <exception cref="OperationCanceledException">From the task: the wait was cancelled.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="position"/> was not given out yet.</exception>
    public ValueTask<long> CommitAsync(long position, CancellationToken cancellationToken = default) =>
        UntilAsync(_engine.CommitAsync(position), cancellationToken);

    /// <summary>Waits on the calling thread until all packets up to a position are acknowledged.</summary>
    /// <param name="position">A position at most <see cref="Appended"/>.</param>
    /// <exception cref="JournalException">As with <see cref="CommitAsync"/>.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="position"/> was not given out yet.</exception>
    public void Commit(long position) => _engine.Commit(position);

    /// <summary>
    /// Makes a reader of this journal. It hears of what is committed at once and without looking, and what it reads is not recycled
    /// meanwhile.
    /// </summary>
    /// <param name="options">What to show; null: everything there is.</param>
    /// <returns>The reader; for one thread at a time.</returns>
    /// <exception cref="JournalException"><see cref="JournalFault.Closed"/>.</exception>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    public JournalReader OpenReader(JournalReaderOptions? options = null) => _engine.IsOver && _engine.Failure is null
        ? throw new JournalException(JournalFault.Closed, "The journal is closed. Open a reader of its directory.")
        : JournalReader.Open(_options.StoreForReaders?.Invoke() ?? StoreChoice.For(Directory), _engine, options);

    /// <summary>Copies packets that were appended and find no capacity, for who can do without their being written.</summary>
    /// <param name="lookedUpTo">Up to where the caller has read what is committed (<see cref="JournalReader.LookedUpTo"/>).</param>
    /// <param name="after">Packets behind this position.</param>
    /// <param name="most">About how many bytes.</param>
    /// <param name="into">Takes them, by rising positions.</param>
    /// <returns>False: read what is committed, or wait until something is.</returns>
    internal bool TryCopyWaiting(long lookedUpTo, long after, int most, List<WaitingPacket> into) =>
        _engine.TryCopyWaiting(lookedUpTo, after, most, into);

    /// <inheritdoc cref="AppendEngine.ProgressAsync"/>
    internal Task ProgressAsync(long after) => _engine.ProgressAsync(after);

    /// <summary>Drops old segments, while appending goes on.</summary>
    /// <param name="retention">What is kept.</param>
    /// <returns>What was done.</returns>
    /// <exception cref="JournalException">
    /// <see cref="JournalFault.Closed"/>, <see cref="JournalFault.NoAccess"/>,
    /// <see cref="JournalFault.WriteFailed"/>: names could not be changed.
    /// </exception>
    /// <exception cref="ArgumentException"><paramref name="retention"/> is null or has a negative number.</exception>
    public JournalCompaction Compact(JournalRetention retention) =>
        _engine.Compact((retention ?? throw new ArgumentNullException(nameof(retention))).Checked());

    /// <summary>
    /// Writes and syncs all that is queued (under any policy), writes the close record, and gives the directory free. The second call
    /// does nothing.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait; the journal is closed all the same.</param>
    /// <returns>A task that completes when all is done.</returns>
    /// <exception cref="JournalException">
    /// From the task: something that was queued is not on the disk. The directory is free nevertheless.
    /// </exception>
    /// <exception cref="OperationCanceledException">From the task: the wait was cancelled.</exception>
    public async ValueTask CloseAsync(CancellationToken cancellationToken = default)
    {
        Task<JournalException?> closing = Threads.RunAsync(_engine.Close);
        if (await Delay.UntilAsync(closing, cancellationToken).ConfigureAwait(false) is { } fault)
        {
            throw fault.Again();
        }
    }

    /// <summary>Closes as <see cref="CloseAsync"/> does, and throws nothing: look at <see cref="Failure"/>.</summary>
    public void Dispose() => _ = _engine.Close();

    /// <summary>Closes as <see cref="CloseAsync"/> does, and throws nothing: look at <see cref="Failure"/>.</summary>
    /// <returns>A task that completes when all is done.</returns>
    public ValueTask DisposeAsync() => new(Threads.RunAsync(_engine.Close));

    /// <summary>Waits until the wait is cancelled; what it waits for goes on. Without a token that can be, nothing is allocated.</summary>
    private static ValueTask<long> UntilAsync(ValueTask<long> task, CancellationToken cancellationToken) =>
        cancellationToken.CanBeCanceled && !task.IsCompleted ? new(Delay.UntilAsync(task.AsTask(), cancellationToken)) : task;
}
