using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using Transport.Journal;

namespace Transport.Nats;

/// <summary>One journal on its way in: what of its blocks is new is appended to a journal here, each packet once. On the receiver's
/// flow.</summary>
/// <remarks>
/// <para>A block whose <c>previous</c> is the last position, or below it, goes on from here: its packets above the last position are
/// appended. One whose <c>previous</c> is above it came too early, or what was before it is lost: it is held while the shipper is asked,
/// and then what is missing is a gap.</para>
/// <para>The last position is not written down: it follows from the number of packets that the journal here has, and from
/// <see cref="Origin"/>. So what a power cut takes from the journal it takes from the position too.</para>
/// </remarks>
internal sealed class IncomingJournal : IAsyncDisposable
{
    private const int MostHeld = 8 << 20;
    private const long BytesBetweenMarks = 16 << 20;

    private readonly PacketJournal _journal;
    private readonly Origin _origin;
    private readonly TimeProvider _clock;
    private readonly List<HeldBlock> _held = [];
    private readonly Dictionary<string, JournalNode> _nodes = new(StringComparer.Ordinal);
    private long _heldBytes;
    private long _missingSince;   // when what is missing was missed first, or some of it came last
    private long _asked;
    private long _taken;         // when the last block came
    private long _number;        // of the last packet that was appended here
    private long _bytesSinceMark;
    private JournalNode? _lastNode;

    private IncomingJournal(Guid id, string machine, PacketJournal journal, Origin origin, long number, TimeProvider clock)
    {
        (Id, Machine, _journal, _origin, _number, _clock) = (id, machine, journal, origin, number, clock);
        Last = Flushed = origin.PositionOf(number);
        (FlushedNumber, Assembly, _taken) = (number, new PartAssembly(), clock.GetTimestamp());
    }

    /// <summary>Gets the id of the journal that the packets come from.</summary>
    public Guid Id { get; }

    /// <summary>Gets the machine that ships it.</summary>
    public string Machine { get; }

    /// <summary>Gets what puts its packets in parts together.</summary>
    public PartAssembly Assembly { get; }

    /// <summary>Gets the position up to which it is here, flushed or not.</summary>
    public long Last { get; private set; }

    /// <summary>Gets the position up to which it is on the disk.</summary>
    public long Flushed { get; private set; }

    /// <summary>Gets how many packets are on the disk.</summary>
    public long FlushedNumber { get; private set; }

    /// <summary>Gets how many packets came again.</summary>
    public long Doubles { get; private set; }

    /// <summary>Gets what did not come.</summary>
    public IReadOnlyList<JournalGap> Gaps => _origin.Gaps;

    /// <summary>Gets how many positions did not come.</summary>
    public long Missed => _origin.Missed;

    /// <summary>Gets the directory.</summary>
    public string Directory => _journal.Directory;

    /// <summary>Gets a value indicating whether packets are missing, and waited for.</summary>
    public bool IsMissing => _held.Count > 0;

    /// <summary>Gets for how long none of them has come.</summary>
    public TimeSpan Missing => IsMissing ? _clock.GetElapsedTime(_missingSince) : TimeSpan.Zero;

    /// <summary>Gets for how long none of them has come since they were asked for.</summary>
    public TimeSpan Unanswered => _clock.GetElapsedTime(Math.Max(_missingSince, _asked));

    /// <summary>Gets the number of the question for what is missing; 0 if nothing is, or was asked for yet.</summary>
    public int Asked { get; private set; }

    /// <summary>Gets for how long nothing has come.</summary>
    public TimeSpan Idle => _clock.GetElapsedTime(_taken);

    /// <summary>Gets a value indicating whether something was appended and not flushed.</summary>
    public bool IsDirty => Last != Flushed || FlushedNumber != _number;

    /// <summary>Opens the journal here, or makes it.</summary>
    /// <param name="folder">The receiver's folder.</param>
    /// <param name="machine">The machine.</param>
    /// <param name="id">The journal that the packets come from.</param>
    /// <param name="options">The receiver's options.</param>
    /// <exception cref="JournalException">It cannot be opened.</exception>
    /// <exception cref="FleetException"><see cref="FleetFault.OriginUnknown"/>.</exception>
    /// <exception cref="IOException">The file <c>origin</c> cannot be read or written.</exception>
    public static IncomingJournal Open(string folder, string machine, Guid id, ReceiverOptions options)
    {
        var settings = new JournalOptions { TimeProvider = options.TimeProvider };
        options.ConfigureJournal?.Invoke(settings);
        settings.MaxPacketBytes = options.MaxPacketBytes;

        // A position is told once it is flushed.
        settings.Sync = settings.Sync == JournalSync.Always ? JournalSync.Always : JournalSync.GroupCommit;
        PacketJournal journal = PacketJournal.Open(Path.Combine(folder, $"{machine}-{Words.Of(id)}"), settings);
        Origin? origin = null;
        try
        {
            origin = Origin.Open(journal.Directory, id, hasPackets: journal.Recovery.LastPosition > 0);
            long number = Count(journal, origin);
            origin.ForgetUnpassed(number);
            return new IncomingJournal(id, machine, journal, origin, number, options.TimeProvider);
        }
        catch
        {
            origin?.Dispose();
            journal.Dispose();
            throw;
        }
    }

    /// <summary>Asks for what is missing, with a number that no earlier question had.</summary>
    public void Ask() => (Asked, _asked) = (Random.Shared.Next(1, int.MaxValue), _clock.GetTimestamp());

    /// <summary>Takes a block.</summary>
    /// <param name="header">Its header.</param>
    /// <param name="content">Its packets, checked.</param>
    /// <exception cref="JournalException">The journal here takes nothing: nothing of the block is lost, it comes again.</exception>
    public async ValueTask TakeAsync(BlockHeader header, ReadOnlyMemory<byte> content)
    {
        _taken = _clock.GetTimestamp();
        if (header.Previous > Last)
        {
            Hold(header, content);
            return;
        }

        long before = Last;
        await ApplyAsync(header, content).ConfigureAwait(false);
        await ApplyHeldAsync().ConfigureAwait(false);
        if (Last > before)
        {
            _missingSince = _taken;   // an answer may be long: as long as it comes, nothing is given up
        }
    }

    /// <summary>Waits no longer for what is missing.</summary>
    /// <returns>What did not come.</returns>
    public async ValueTask<JournalGap> GiveUpAsync()
    {
        HeldBlock next = _held.MinBy(one => one.Header.Previous)!;
        var gap = new JournalGap(
            Last + 1, next.Header.Previous, "the stream did not have it any more, and the shipper has not sent it again");
        _origin.Miss(gap);
        Last = next.Header.Previous;
        await ApplyHeldAsync().ConfigureAwait(false);
        return gap;
    }

    /// <summary>Flushes what was appended.</summary>
    /// <exception cref="JournalException">It is not on the disk.</exception>
    public async ValueTask FlushAsync()
    {
        (long last, long number) = (Last, _number);
        long here = _journal.Appended;
        await _journal.CommitAsync(here).ConfigureAwait(false);
        FarmMeter.Packets.Add(number - FlushedNumber);
        (Flushed, FlushedNumber) = (last, number);
        if (_bytesSinceMark >= BytesBetweenMarks)
        {
            _bytesSinceMark = 0;
            _origin.MarkAt(number, here);
        }
    }

    /// <summary>Closes the journal; what was appended and not flushed is flushed, but nobody is told.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!IsDirty && _bytesSinceMark > 0 && _journal.Failure is null)
        {
            _origin.MarkAt(FlushedNumber, _journal.Committed);   // so that it need not be counted again
        }

        await _journal.DisposeAsync().ConfigureAwait(false);
        _origin.Dispose();
    }

    private static long Count(PacketJournal journal, Origin origin)
    {
        (long number, long here) = origin.Mark;
        using JournalReader reader = journal.OpenReader(new JournalReaderOptions { From = number == 0 ? 0 : here + 1 });
        while (reader.TryRead(out _))
        {
            number++;
        }

        return number;
    }

    private void Hold(in BlockHeader header, ReadOnlyMemory<byte> content)
    {
        (long first, long last) = (header.First, header.Last);
        bool isAgain = _held.Exists(one => one.Header.First == first && one.Header.Last == last);
        if (isAgain || (_held.Count > 0 && _heldBytes + content.Length > MostHeld))
        {
            return;   // a shipper that answers sends all behind the last position, this too
        }

        _missingSince = _held.Count == 0 ? _clock.GetTimestamp() : _missingSince;
        _held.Add(new HeldBlock(header, content.ToArray()));
        _heldBytes += content.Length;
    }

    private async ValueTask ApplyHeldAsync()
    {
        while (_held.Find(one => one.Header.Previous <= Last) is { } next)
        {
            _held.Remove(next);
            _heldBytes -= next.Content.Length;
            await ApplyAsync(next.Header, next.Content).ConfigureAwait(false);
        }

        Asked = _held.Count == 0 ? 0 : Asked;
    }

    private async ValueTask ApplyAsync(BlockHeader header, ReadOnlyMemory<byte> content)
    {
        if (header.IsGap)
        {
            if (header.Last > Last)
            {
                _origin.Miss(new JournalGap(
                    Math.Max(header.First, Last + 1), header.Last, "dropped from the journal before it was shipped"));
                Last = header.Last;
            }

            return;
        }

        for (int at = 0; BlockRecord.TryRead(content.Span[at..], out BlockRecord record); at += record.Size)
        {
            if (record.Position <= Last)
            {
                Doubles++;
                continue;
            }

            _origin.Next(_number + 1, record.Position);
            while (!IsAppended(record, content.Span[at..]))
            {
                await _journal.CommitAsync(_journal.Appended).ConfigureAwait(false);
            }

            (Last, _number) = (record.Position, _number + 1);
            _bytesSinceMark += record.BodyBytes;
        }
    }

    private bool IsAppended(in BlockRecord record, ReadOnlySpan<byte> content)
    {
        SendResult result = _journal.TryAppend(
            NodeOf(record.NodeIn(content)), record.Type, record.BodyIn(content), out _, record.TakenAt());
        return result switch
        {
            SendResult.Queued => true,
            SendResult.Closed => throw _journal.Failure ?? new JournalException(JournalFault.Closed, $"{Directory} was closed."),
            _ when _journal.Committed == _journal.Appended => throw new JournalException(
                JournalFault.JournalFull, $"{Directory} takes no more: the disk is full, or JournalOptions.MaxBytes is reached."),
            _ => false,
        };
    }

    private JournalNode NodeOf(ReadOnlySpan<byte> name)
    {
        if (_lastNode is { } last && Ascii.Equals(name, last.Name))
        {
            return last;
        }

        string text = Encoding.ASCII.GetString(name);
        if (!_nodes.TryGetValue(text, out JournalNode? node))
        {
            _nodes[text] = node = new JournalNode(text);
        }

        return _lastNode = node;
    }
}
