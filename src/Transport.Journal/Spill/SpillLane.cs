using System;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>One lane that spills: gives each packet its number, and sends it at once, keeps it in memory or puts it into the journal.
/// docs/design/spill.md says why in this order.</summary>
/// <remarks>
/// <para>States and transitions: <see cref="SpillState"/>. Producers move it to Draining, its pump (one for each link) to CatchingUp and
/// Direct, who serves the links to Draining and Away.</para>
/// <para>Lock order, from the outside in: the gate of this lane (all fields here; held while a packet is serialized) -> the link's lane
/// lock, and the journal's. The locks of <see cref="SpillLedger"/> and <see cref="SpillJournal"/> come last: nothing is called while one is
/// held. An Ack comes under the lock of the link's LaneAcknowledgments and takes these two only, never the gate.</para>
/// </remarks>
internal sealed class SpillLane
{
    private const int KeptScratch = 1 << 20;

    private readonly object _gate = new();
    private readonly Lane _lane;
    private readonly SpillJournal _journal;
    private readonly SpillLedger _ledger;
    private readonly SpillReports _reports;
    private readonly SpillEpisode _episode;
    private readonly int _mostBody;
    private readonly ArrayWriter _head = new(SpillPacket.MostHead);
    private ArrayWriter _scratch = new();
    private SpillState _state;
    private Link? _link;                 // the one there is
    private TaskCompletionSource<bool> _leftDirect = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private SpillNumber _last;           // the highest taken: journal, memory or link have it
    private long _base;                  // the position in the numbers of what is not spilled
    private long _index;
    private long _spilledTo;
    private long _sentTo;                // the position up to which the link, or what was acknowledged before it, has the journal
    private long _givenTo;               // the same of any link
    private long _waiting;               // packets in the journal that no link was given
    private long _directCount, _spilledCount, _refused, _sentLater;
    private int _formatterThread;        // set and cleared under the gate; a thread looks for itself alone
    private bool _closed;
    private bool _isIncomplete;

    public SpillLane(Lane lane, PacketJournal journal, JournalNode node, SpillReports reports, SpillOptions options)
    {
        _lane = lane;
        _reports = reports;
        _mostBody = Math.Min(options.MaxPacketBytes, options.Journal.MaxPacketBytes - SpillPacket.Overhead);
        SpillFindings findings = SpillRecords.Find(journal);
        _spilledTo = findings.LastSpilled;
        _waiting = findings.Spilled;
        Found = findings.Count;
        _sentTo = _givenTo = findings.Acknowledged.Position;
        _base = journal.Appended;   // above all that any opening has given out, whatever was dropped since
        _last = LastFound = findings.Last;
        _ledger = new SpillLedger(options.Link.Pool!, options.MaxMemoryBytes, findings);
        _journal = new SpillJournal(lane, journal, node, reports, _ledger, findings);
        _journal.BeginIfUnnoted();
        _episode = new SpillEpisode(lane, journal.Directory, reports, options.Link.TimeProvider);
    }

    /// <summary>Gets the lane of links whose packets these are.</summary>
    public Lane Name => _lane;

    /// <summary>Gets the highest number that earlier openings gave out.</summary>
    public SpillNumber LastFound { get; }

    /// <summary>Gets the packets that earlier openings left.</summary>
    public long Found { get; }

    /// <summary>Gets a value indicating whether packets go to a link at once, by neither journal nor memory.</summary>
    public bool IsDirect
    {
        get
        {
            lock (_gate)
            {
                return _state == SpillState.Direct;
            }
        }
    }

    /// <summary>Gets the number up to which everything is acknowledged.</summary>
    public SpillNumber Acknowledged => _ledger.Acknowledged;

    /// <summary>Gets a value indicating whether everything is acknowledged that will be sent; what a journal lost, or cannot be read, will
    /// not.</summary>
    public bool IsSettled
    {
        get
        {
            lock (_gate)
            {
                return _last <= _ledger.Acknowledged;
            }
        }
    }

    /// <summary>Adds this lane's counts.</summary>
    public SpillStatus AddTo(SpillStatus sum)
    {
        long journal = _journal.Packets.Status.Bytes;
        long memory = _ledger.MemoryBytes;
        lock (_gate)
        {
            return sum with
            {
                Direct = sum.Direct + _directCount,
                Spilled = sum.Spilled + _spilledCount,
                Refused = sum.Refused + _refused,
                SentLater = sum.SentLater + _sentLater,
                Found = sum.Found + Found,
                Waiting = sum.Waiting + _waiting,
                MemoryBytes = sum.MemoryBytes + memory,
                JournalBytes = sum.JournalBytes + journal,
                IsDelivered = sum.IsDelivered && !_isIncomplete && _last <= _ledger.Acknowledged,
            };
        }
    }

    /// <summary>Gets a value indicating whether this thread is in a formatter that writes for this lane.</summary>
    public bool IsFormattingHere => _formatterThread == Environment.CurrentManagedThreadId;

    /// <summary>Takes a packet. Never waits; one that finds no capacity is counted by <see cref="NoteRefused"/> alone.</summary>
    public SendResult TrySend<T>(PacketType<T> type, T packet)
    {
        lock (_gate)
        {
            if (_closed)
            {
                return SendResult.Closed;
            }

            Begin(type.Id);
            _formatterThread = Environment.CurrentManagedThreadId;
            try
            {
                type.Formatter.Write(_scratch, packet);
            }
            finally
            {
                _formatterThread = 0;
            }

            return Take(type.Id);
        }
    }

    /// <summary>Takes a packet that is bytes already; as <see cref="TrySend{T}"/>.</summary>
    public SendResult TrySendRaw(ushort type, ReadOnlySpan<byte> body)
    {
        lock (_gate)
        {
            if (_closed)
            {
                return SendResult.Closed;
            }

            Begin(type);
            body.CopyTo(_scratch.GetSpan(body.Length));
            _scratch.Advance(body.Length);
            return Take(type);
        }
    }

    /// <summary>Counts a packet that was answered Full and given back to its sender.</summary>
    public void NoteRefused()
    {
        lock (_gate)
        {
            _refused++;
        }
    }

    /// <summary>Answers Closed from now on.</summary>
    public void StopTaking()
    {
        lock (_gate)
        {
            _closed = true;
        }
    }

    /// <summary>Begins a link, which has sent nothing yet and is not started.</summary>
    /// <param name="link">The link.</param>
    /// <param name="acknowledged">Takes how many packets of the link's lane are acknowledged; from any thread.</param>
    /// <returns>What sends to it.</returns>
    public SpillPump Attach(Link link, out Action<long> acknowledged)
    {
        lock (_gate)
        {
            Move(SpillChange.LinkAttached);
            _link = link;
            object attachment = _ledger.Attach();
            acknowledged = packets => _journal.Consider(_ledger.Acknowledge(attachment, packets));
            return new SpillPump(this, _lane, _journal, _ledger, link, _reports);
        }
    }

    /// <summary>The link has ended and its pump too: what the main node has not acknowledged comes again with the next one. What had not
    /// been spilled is put into the journal now, in case this process does not live so long.</summary>
    public async Task DetachAsync()
    {
        System.Collections.Generic.List<SavedPacket> saved;
        lock (_gate)
        {
            _episode.LinkEnded();
            Move(SpillChange.LinkLost);
            _link = null;
            saved = _ledger.Detach();
            _sentTo = _ledger.Acknowledged.Position;
        }

        await SaveAsync(saved).ConfigureAwait(false);
    }

    /// <summary>Notes how far the main node is, and closes the journal with everything that was not acknowledged; nothing is taken any
    /// more, and the last link has ended.</summary>
    public async Task CloseAsync()
    {
        System.Collections.Generic.List<SavedPacket> saved;
        lock (_gate)
        {
            saved = _ledger.Detach();
        }

        await SaveAsync(saved, isLast: true).ConfigureAwait(false);   // what found no capacity when its link ended
        if (await _journal.CloseAsync().ConfigureAwait(false) is { } failure && !IsSettled)
        {
            _journal.ReportFailed(failure);
        }
    }

    /// <summary>The pump has sent everything that it could read: sees where the lane stands. If everything is sent, packets go directly
    /// from here on.</summary>
    /// <param name="isCommitMissing">True: what is not sent has to be committed first; false: it is in memory.</param>
    /// <param name="leftDirect">If the lane is Direct: completes when it is not any more.</param>
    /// <returns>The state: CatchingUp, Direct, or Away if the link takes nothing more.</returns>
    public SpillState Settle(out bool isCommitMissing, out Task leftDirect)
    {
        lock (_gate)
        {
            leftDirect = _leftDirect.Task;
            isCommitMissing = _sentTo < _spilledTo;
            if (isCommitMissing || _ledger.HasUnsent || _journal.Packets.MayRepeatPositions)
            {
                Move(SpillChange.CommittedSent);
                return _state;
            }

            SpillState before = _state;
            Move(SpillChange.AllSent);
            if (_state == SpillState.Direct && before != SpillState.Direct)
            {
                _episode.Direct(_spilledCount);
                _leftDirect = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
                leftDirect = _leftDirect.Task;
            }

            return _state;
        }
    }

    /// <summary>Notes that the link was given the journal up to a position.</summary>
    public void NoteSent(long position)
    {
        lock (_gate)
        {
            _sentTo = position;
            _sentLater++;
            if (position > _givenTo)
            {
                _givenTo = position;
                _waiting--;
            }
        }
    }

    /// <summary>Notes that the link was given a packet that was in memory.</summary>
    public void NoteSent()
    {
        lock (_gate)
        {
            _sentLater++;
        }
    }

    /// <summary>Nothing more comes out of the journal: what is in there and was not sent is lost to this process.</summary>
    public void GiveUpJournal(JournalException why)
    {
        lock (_gate)
        {
            if (_journal.Packets.Failure is null)
            {
                _journal.ReportUnreadable(why, _waiting + Math.Max(0, _givenTo - _sentTo));
            }
            else
            {
                _journal.ReportFailed(why);
            }

            // Nobody waits for the acknowledgment of what will not be sent.
            _isIncomplete |= _sentTo < _spilledTo;
            SpillNumber sent = SpillNumber.At(_sentTo), inMemory = _ledger.LastInMemory;
            _last = sent > inMemory ? sent : inMemory;
            _sentTo = _spilledTo;
        }
    }

    /// <summary>Saves packets in the capacity that a note of what is acknowledged frees.</summary>
    private async Task SaveAsync(System.Collections.Generic.List<SavedPacket> packets, bool isLast = false)
    {
        await _journal.NoteAsync().ConfigureAwait(false);
        await _journal.SaveAsync(packets, isLast).ConfigureAwait(false);
    }

    private void Begin(ushort type)
    {
        if (SpillRecords.IsOne(type))
        {
            string whose = $"Packet type {type}: {SpillRecords.Saved} and {SpillRecords.Acknowledged} are for lanes that spill themselves.";
            throw new ArgumentException(whose, nameof(type));
        }

        if (_scratch.Array.Length > KeptScratch)
        {
            _scratch = new ArrayWriter();
        }

        _scratch.Clear();
        _scratch.GetSpan(SpillPacket.MostHead);
        _scratch.Advance(SpillPacket.MostHead);
    }

    /// <summary>Takes what stands in the scratch. It is checked here: what a main node must refuse would else come again with each
    /// link.</summary>
    private SendResult Take(ushort type)
    {
        int length = _scratch.Length - SpillPacket.MostHead;
        if (length > _mostBody)
        {
            throw new TransportException(
                TransportFault.PacketTooLarge,
                $"A packet of type {type} has {length} bytes, and SpillOptions.MaxPacketBytes is {_mostBody}: split it, or allow more.");
        }

        MessagePackValue.Check(_scratch.Written.Slice(SpillPacket.MostHead));
        if (_journal.IsWithoutNumbers)
        {
            return SendResult.Full;
        }

        return (_state is SpillState.Direct or SpillState.CatchingUp && TryKeep(type, length)) || TrySpill(type)
            ? SendResult.Queued
            : SendResult.Full;
    }

    /// <summary>Sends the packet, or lets it wait in memory; there it is until it is acknowledged.</summary>
    /// <returns>False: link or memory do not take it, so from here on packets go behind what is spilled now, until that is sent.</returns>
    private bool TryKeep(ushort type, int length)
    {
        PacketJournal journal = _journal.Packets;
        var number = new SpillNumber(_base, journal.Epoch, _index + 1);
        int at = SpillPacket.PutHead(_scratch.Array, SpillPacket.MostHead, length, _head, journal.Id, number, type);
        ReadOnlySpan<byte> packet = _scratch.Written.Slice(at);
        SendResult result = SendResult.Full;
        if (_ledger.TryAdd(number, packet))
        {
            // From here on nothing else gets this number, whatever is thrown: the link may have the packet then, and the main node would
            // drop another one of the same number as a duplicate. It is waited for if the ledger has it: else no Ack would ever reach it.
            _index++;
            try
            {
                result = _state == SpillState.Direct ? SendDirectly(number, packet) : SendResult.Queued;
            }
            finally
            {
                _last = _ledger.LastInMemory == number ? number : _last;
            }
        }

        if (result == SendResult.Queued)
        {
            _directCount++;
            return true;
        }

        if (result == SendResult.Closed)
        {
            _episode.LinkEnded();
            Move(SpillChange.LinkLost);
        }
        else
        {
            _episode.PeerSlow();
            Move(SpillChange.NoCapacity);
        }

        return false;
    }

    /// <summary>Gives the link the packet that was just added to the ledger. In this state it is the only one there that was not sent, and
    /// the pump waits, so what is marked, or taken back, is this one.</summary>
    private SendResult SendDirectly(SpillNumber number, ReadOnlySpan<byte> packet)
    {
        SendResult result = SendResult.Full;
        long ordinal = 0;
        try
        {
            result = _link!.Sender.TrySendCounted(SpillPacket.Type, packet, _lane, out ordinal);
        }
        finally
        {
            if (result != SendResult.Queued)
            {
                _ledger.RemoveLast();
            }
        }

        if (result == SendResult.Queued)
        {
            _journal.Consider(_ledger.MarkSent(number, ordinal));
        }

        return result;
    }

    private bool TrySpill(ushort type)
    {
        if (!_journal.TryAppend(type, _scratch.Written.Slice(SpillPacket.MostHead), out long position))
        {
            return false;
        }

        _spilledTo = _base = position;
        _last = SpillNumber.At(position);
        _spilledCount++;
        _waiting++;
        _episode.Spilled();
        return true;
    }

    private void Move(SpillChange change)
    {
        bool wasDirect = _state == SpillState.Direct;
        _state = SpillTransitions.Next(_state, change);
        if (wasDirect && _state != SpillState.Direct)
        {
            _leftDirect.TrySetResult(true);
        }
    }
}
