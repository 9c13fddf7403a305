using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;

namespace Transport.Spill;

/// <summary>One lane that spills: gives each packet its number, and sends it at once or puts it into the journal. docs/spill.md says why in this order.</summary>
/// <remarks>One lock, the gate, over what producers and the pump share; it is held while a packet is serialized. What is acknowledged has a lock of its own, so that who hears of it never waits for a formatter.</remarks>
internal sealed partial class SpillLane
{
    private const int KeptScratch = 1 << 20;
    private const string LinkEnded = "the link has ended";

    private readonly object _gate = new();
    private readonly Lane _lane;
    private readonly PacketJournal _journal;
    private readonly JournalNode _node;
    private readonly SpillReports _reports;
    private readonly TimeProvider _clock;
    private readonly int _mostBody;
    private readonly ArrayWriter _head = new(SpillPacket.MostHead);
    private ArrayWriter _scratch = new();
    private Queue<SavedPacket> _saved;   // the pump's while it runs
    private Link? _direct;               // where packets go that need not be spilled; null: not there
    private SpillNumber _last;           // the highest given out
    private long _base;                  // the position in the numbers of what is not spilled
    private long _index;
    private long _spilledTo;
    private long _sentTo;
    private long _givenTo;
    private long _waiting;
    private long _directCount, _spilledCount, _refused, _sentLater;
    private bool _formatting;
    private bool _closed;
    private bool _failed;
    private bool _fullTold;
    private string? _beganWhy = "there is no main node yet";   // null: no episode of spilling is to be told of
    private bool _beganTold;
    private bool _isUnreadable;
    private bool _isIncomplete;
    private long _beganAt;
    private TaskCompletionSource<bool>? _wake;

    public SpillLane(Lane lane, PacketJournal journal, JournalNode node, SpillReports reports, LinkOptions links, int mostBody)
    {
        (_lane, _journal, _node, _reports, _clock, _mostBody) = (lane, journal, node, reports, links.Clock, mostBody);
        _mostBridge = links.MaxQueuedBytes / 8;
        SpillFindings findings = SpillRecords.Find(journal);
        _acknowledged = findings.Acknowledged;
        _noted = new Highest<SpillNumber>(findings.Acknowledged);
        _saved = findings.Saved;
        _savedTo = findings.LastSaved;
        _spilledTo = findings.LastSpilled;
        _waiting = findings.Spilled;
        Found = findings.Spilled + findings.Saved.Count;
        _sentTo = _givenTo = findings.Acknowledged.Position;
        _base = journal.Appended;   // above all that any opening has given out, whatever was dropped since
        _last = findings.Last;
        TellFound(findings);
    }

    /// <summary>Gets the packets that earlier openings left.</summary>
    public long Found { get; }

    /// <summary>Gets a value indicating whether packets go to a link at once, by neither journal nor memory.</summary>
    public bool IsDirect
    {
        get
        {
            lock (_gate)
            {
                return _direct is not null;
            }
        }
    }

    /// <summary>Gets a value indicating whether everything that was taken is acknowledged.</summary>
    public bool IsDelivered => !Volatile.Read(ref _isIncomplete) && IsSettled;

    /// <summary>Gets a value indicating whether everything is acknowledged that will be sent; what a journal lost, or cannot be read, will not.</summary>
    public bool IsSettled
    {
        get
        {
            SpillNumber acknowledged = Acknowledgement;
            lock (_gate)
            {
                return _last <= acknowledged;
            }
        }
    }

    /// <summary>Adds this lane's counts.</summary>
    public SpillStatistics AddTo(SpillStatistics sum)
    {
        bool isDelivered = IsDelivered;
        long bytes = _journal.Statistics.Bytes;
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
                JournalBytes = sum.JournalBytes + bytes,
                IsDelivered = sum.IsDelivered && isDelivered,
            };
        }
    }

    public SendResult Send<T>(PacketType<T> type, T packet)
    {
        lock (_gate)
        {
            if (_closed)
            {
                return SendResult.Closed;
            }

            Begin(type.Id);
            _formatting = true;
            try
            {
                type.Formatter.Write(_scratch, packet);
            }
            finally
            {
                _formatting = false;
            }

            return Take(type.Id);
        }
    }

    public SendResult SendRaw(ushort type, ReadOnlySpan<byte> body)
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

    /// <summary>Answers Closed from now on.</summary>
    public void StopTaking()
    {
        lock (_gate)
        {
            _closed = true;
        }
    }

    private void Begin(ushort type)
    {
        if (_formatting)
        {
            throw new InvalidOperationException("A packet formatter must not send in the lane that it writes for.");
        }

        if (SpillRecords.IsOne(type))
        {
            throw new TransportException(TransportFault.BadOptions, $"Packet type {type}: {SpillRecords.Saved} and {SpillRecords.Acknowledged} are for lanes that spill themselves.");
        }

        if (_scratch.Array.Length > KeptScratch)
        {
            _scratch = new ArrayWriter();
        }

        _scratch.Clear();
        _scratch.GetSpan(SpillPacket.MostHead);
        _scratch.Advance(SpillPacket.MostHead);
    }

    /// <summary>Takes what stands in the scratch. It is looked over here: what a main node must refuse would else come again with each link.</summary>
    private SendResult Take(ushort type)
    {
        int length = _scratch.Length - SpillPacket.MostHead;
        if (length > _mostBody)
        {
            throw new TransportException(TransportFault.PacketTooLarge, $"A packet of type {type} has {length} bytes, and SpillOptions.MaxPacketBytes is {_mostBody}: split it, or allow more.");
        }

        MessagePackValue.Check(_scratch.Written.Slice(SpillPacket.MostHead));
        if (_direct is not null)
        {
            var number = new SpillNumber(_base, _journal.Epoch, _index + 1);
            int at = SpillPacket.PutHead(_scratch.Array, SpillPacket.MostHead, length, _head, _journal.Id, number, type);
            SendResult result = _direct.SendSpilled(_scratch.Written.Slice(at), _lane);
            if (result == SendResult.Queued)
            {
                (_last, _index) = (number, _index + 1);
                _directCount++;
                return SendResult.Queued;
            }

            BeginSpilling(result);
        }
        else if (_isBridging && TryBridge(type, length))
        {
            return SendResult.Queued;
        }

        return Spill(type, _scratch.Written.Slice(SpillPacket.MostHead));
    }

    /// <summary>From here on everything goes behind what is spilled now, until that is sent.</summary>
    private void BeginSpilling(SendResult result)
    {
        _direct = null;
        _wake?.TrySetResult(true);
        if (result != SendResult.Full)
        {
            _beganWhy = LinkEnded;
            return;
        }

        // A main node that is slower by a little makes it go to and fro: told at most once a second.
        long now = _clock.GetTimestamp();
        if (_beganAt == 0 || _clock.GetElapsedTime(_beganAt, now).TotalSeconds >= 1)
        {
            _beganAt = now;
            _beganWhy = "the main node is slower than what is sent";
        }
    }

    /// <summary>A packet has gone to the journal, the first since packets went to a link directly. Under the gate.</summary>
    private void TellBegan()
    {
        if (_beganWhy is { } why && !_beganTold)
        {
            _beganTold = true;
            _reports.Tell(SpillEvent.SpillingBegan, $"Lane {_lane}: {why}, so packets go to the journal in {_journal.Directory} until it has caught up.");
        }

        _beganWhy = null;
    }

    private SendResult Spill(ushort type, ReadOnlySpan<byte> body)
    {
        JournalAppendResult result = JournalAppendResult.Closed;
        if (!_failed)
        {
            result = _journal.TryAppend(_node, type, body, out long position);
            if (result == JournalAppendResult.Queued)
            {
                _spilledTo = _base = position;
                _last = SpillNumber.At(position);
                _spilledCount++;
                _waiting++;
                _fullTold = false;
                TellBegan();
                return SendResult.Queued;
            }
        }

        _refused++;
        if (result == JournalAppendResult.Closed)
        {
            TellFailed(_journal.Failure);
        }
        else if (!_fullTold)
        {
            _fullTold = true;
            _ = TellFullAsync();
        }

        return SendResult.Full;
    }

    /// <summary>The journal is over, or cannot be read any more. Under the gate.</summary>
    private void TellFailed(JournalException? why)
    {
        if (_failed)
        {
            return;
        }

        _failed = true;
        long lost = Math.Min(_waiting, Math.Max(0, _journal.Appended - _journal.Committed));
        _reports.Tell(
            SpillEvent.JournalFailed,
            $"Lane {_lane}: the journal in {_journal.Directory} takes nothing more, and up to {lost} packets that it had not acknowledged are lost. What finds no room is answered Full from now on. {why?.Message}",
            why ?? new JournalException(JournalFault.Closed, "The journal is closed."),
            lost);
    }

    /// <summary>Finds out why the journal takes nothing. Where it only was not as fast as what was spilled, there is nothing to tell.</summary>
    private async Task TellFullAsync()
    {
        try
        {
            await Task.Yield();
            await _journal.CommitAsync(_journal.Appended).ConfigureAwait(false);
        }
        catch (JournalException full)
        {
            if (_journal.Failure is null)
            {
                _reports.Tell(SpillEvent.JournalFull, $"Lane {_lane}: what finds no room is answered Full. {full.Message}", full);
            }
        }
    }
}
