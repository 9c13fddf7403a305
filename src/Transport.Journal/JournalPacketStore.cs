using System;
using System.Collections.Concurrent;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>Keeps in a journal what links receive. Several links may use one store.</summary>
/// <remarks>
/// <para>A router that uses it acknowledges a packet once the packet is in the journal and handled.</para>
/// <para>Each packet is a record of the journal, with the name of the node that it came from. Its body can be read without the link's
/// tables.</para>
/// <para>Any number of stores may share a journal. A store does not close it: close it after the links have ended.</para>
/// <para>While the disk or the journal is full the link waits: it reads nothing more, so that its peer's sends are answered Full, and
/// acknowledges nothing. It goes on by itself once there is capacity (<see cref="PacketJournal.Obstacle"/>).</para>
/// <para>Any other <see cref="JournalException"/> cannot pass, and ends the link with <see cref="TransportFault.HandlerFailed"/>. To go on
/// without the journal, wrap the store.</para>
/// </remarks>
public sealed class JournalPacketStore : IPacketStore
{
    private const int MostNames = 1024;

    /// <summary>How often a link that waits for capacity looks again: nobody signals that a disk has space.</summary>
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(50);

    private readonly PacketJournal _journal;
    private readonly JournalNode? _node;
    private readonly ConcurrentDictionary<string, JournalNode> _nodes = new(StringComparer.Ordinal);   // of links that share the store
    private long _last;   // raised by the readers of all links that use this store, read by who flushes: the highest position taken

    /// <summary>Initializes a new instance of the <see cref="JournalPacketStore"/> class.</summary>
    /// <param name="journal">The journal; not owned.</param>
    /// <param name="node">The node that the packets are said to come from; null (the default): each packet's own
    /// (<see cref="PacketContext.Node"/>).</param>
    /// <exception cref="ArgumentNullException"><paramref name="journal"/> is null.</exception>
    public JournalPacketStore(PacketJournal journal, JournalNode? node = null)
    {
        _journal = journal ?? throw new ArgumentNullException(nameof(journal));
        _node = node;
    }

    /// <summary>Gets the journal.</summary>
    public PacketJournal Journal => _journal;

    /// <summary>Gets a value indicating whether a link waits while the journal has no capacity (<see cref="JournalFault.DiskFull"/>,
    /// <see cref="JournalFault.JournalFull"/>, <see cref="JournalFault.TooFewDescriptors"/>).</summary>
    /// <value>The default is true. False: the exception is thrown, for a wrapper that goes on without the journal; without one it ends the
    /// link.</value>
    public bool WaitsForCapacity { get; init; } = true;

    /// <summary>Gets the highest position of the packets taken; 0 before the first.</summary>
    public long LastPosition => Volatile.Read(ref _last);

    /// <summary>Appends a packet to the journal; waits only if the journal has no capacity for it.</summary>
    /// <param name="packet">The packet.</param>
    /// <param name="cancellationToken">Ends that wait; the packet may be in the journal or not.</param>
    /// <returns>A task that completes when the packet is taken.</returns>
    /// <exception cref="JournalException">
    /// At once or from the task: as an append of one packet to <see cref="PacketJournal"/>, but for a lack of capacity while
    /// <see cref="WaitsForCapacity"/> is on.
    /// </exception>
    /// <exception cref="OperationCanceledException">From the task: the wait was cancelled.</exception>
    /// <exception cref="InvalidOperationException">The store has no node, and the packet came over no link.</exception>
    /// <exception cref="ArgumentException">The store has no node, and the peer has no name.</exception>
    public ValueTask AppendAsync(RawPacket packet, CancellationToken cancellationToken)
    {
        JournalNode node = _node ?? NodeOf(packet.Context.Node);
        if (_journal.TryAppend(node, packet.Type, packet.Body, out long position) != SendResult.Queued)
        {
            // No capacity, or the journal has failed: this waits, or says why not.
            return WaitAsync(node, packet.Type, packet.Lease(), cancellationToken);
        }

        Note(position);
        return default;
    }

    /// <summary>Waits until every packet taken so far is as safe as the journal's policy says.</summary>
    /// <param name="cancellationToken">Ends a wait for capacity; any other commit comes to its end by itself, well or not.</param>
    /// <returns>A task that completes then.</returns>
    /// <exception cref="JournalException">From the task: as with <see cref="PacketJournal.CommitAsync"/>, but for a lack of capacity while
    /// <see cref="WaitsForCapacity"/> is on.</exception>
    /// <exception cref="OperationCanceledException">From the task: the wait was cancelled.</exception>
    public ValueTask FlushAsync(CancellationToken cancellationToken)
    {
        if (LastPosition is not (var last and not 0))
        {
            return default;
        }

        ValueTask<long> commit = _journal.CommitAsync(last);
        if (commit.IsCompletedSuccessfully)
        {
            _ = commit.GetAwaiter().GetResult();   // gives the pooled source back
            return default;
        }

        return CommitAsync(commit, last, cancellationToken);
    }

    /// <summary>Returns the node of that name, encoded before if possible.</summary>
    private JournalNode NodeOf(string name)
    {
        if (_nodes.TryGetValue(name, out JournalNode? node))
        {
            return node;
        }

        if (_nodes.Count >= MostNames)
        {
            _nodes.Clear();   // names of workers that have exited
        }

        return _nodes[name] = new JournalNode(name);
    }

    private async ValueTask CommitAsync(ValueTask<long> commit, long position, CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                _ = await commit.ConfigureAwait(false);
                return;
            }
            catch (JournalException e) when (MayPass(e))
            {
                // What was refused stays queued, and the journal itself tries it again and again.
                await UntilCapacityAsync(cancellationToken).ConfigureAwait(false);
            }

            commit = _journal.CommitAsync(position);
        }
    }

    private async ValueTask WaitAsync(JournalNode node, ushort type, PacketLease packet, CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                Note(await _journal.AppendAsync(node, type, packet.Packet.Body, cancellationToken: cancellationToken).ConfigureAwait(false));
                return;
            }
            catch (JournalException e) when (MayPass(e))
            {
                await UntilCapacityAsync(cancellationToken).ConfigureAwait(false);
            }

            if (_journal.TryAppend(node, type, packet.Packet.Body, out long position) == SendResult.Queued)
            {
                Note(position);
                return;
            }
        }
    }

    private bool MayPass(JournalException e) => WaitsForCapacity && _journal.Failure is null
        && e.Fault is JournalFault.DiskFull or JournalFault.JournalFull or JournalFault.TooFewDescriptors;

    /// <summary>Waits while the journal itself finds no capacity for what is queued. If nothing is queued, nobody tries: then for one
    /// look.</summary>
    private async Task UntilCapacityAsync(CancellationToken cancellationToken)
    {
        do
        {
            using (var delay = new Delay(TimeProvider.System, Look, cancellationToken))
            {
                await delay.Task.ConfigureAwait(false);
            }

            cancellationToken.ThrowIfCancellationRequested();
        }
        while (_journal.Obstacle is not null && _journal.Appended > _journal.Committed && !_journal.IsOver);
    }

    /// <summary>Notes a position. Of two links the one that appended first may get here last: a flush must cover the higher one.</summary>
    internal void Note(long position)
    {
        for (long seen = Volatile.Read(ref _last), before; position > seen; seen = before)
        {
            before = Interlocked.CompareExchange(ref _last, position, seen);
            if (before == seen)
            {
                return;
            }
        }
    }
}
