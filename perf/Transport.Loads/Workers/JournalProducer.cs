using System;
using System.Diagnostics;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.Loads.Journals;

namespace Transport.Loads.Workers;

/// <summary>One producer of a journal's load: numbers its bodies, appends in one of the ways, notes how long each wait took.</summary>
internal sealed class JournalProducer
{
    private const ushort PacketType = 256;
    private const int Kept = 1 << 16;      // waits of a round whose time is kept
    private const int LookEvery = 64;      // a producer that does not wait looks at the clock now and then

    private readonly PacketJournal _journal;
    private readonly JournalLoad _load;
    private readonly JournalNode _node = new("n1");
    private readonly JournalPacket[] _packets;
    private readonly byte[][] _bodies;
    private readonly ValueTask<long>[] _pending;
    private readonly long[] _waits = new long[Kept];
    private readonly int _name;
    private readonly long _half;

    public JournalProducer(PacketJournal journal, JournalLoad load, int name, long queued)
    {
        _journal = journal;
        _load = load;
        _name = name;
        _bodies = new byte[load.Depth][];
        _packets = new JournalPacket[load.Depth];
        _pending = new ValueTask<long>[load.Depth];
        _half = queued / 2 / (load.Size + 48);
        for (int i = 0; i < load.Depth; i++)
        {
            _bodies[i] = JournalBodies.Make(load.Size);
            _packets[i] = new JournalPacket(_node, PacketType, _bodies[i]);
        }
    }

    /// <summary>Gets how many it has appended since it was made.</summary>
    public long Appended { get; private set; }

    /// <summary>Gets how long each wait of the round took, in ticks.</summary>
    public ReadOnlySpan<long> Waits => _waits.AsSpan(0, Count);

    private int Count { get; set; }

    public void Begin() => Count = 0;

    /// <summary>Appends on the calling thread.</summary>
    public void RunOnThread(long until)
    {
        if (_load.Way == JournalWay.Queue)
        {
            RunQueue(until);
            return;
        }

        for (long from = Stopwatch.GetTimestamp(); from < until;)
        {
            NumberAll();
            if (_load.Depth == 1)
            {
                _journal.Append(_node, PacketType, _bodies[0]);
            }
            else
            {
                _journal.Append(_packets);
            }

            from = Note(from);
        }
    }

    /// <summary>Appends in an asynchronous loop that begins when the task is complete.</summary>
    public async Task RunAsync(Task begin, Func<long> until)
    {
        await begin.ConfigureAwait(false);
        for (long from = Stopwatch.GetTimestamp(); from < until();)
        {
            NumberAll();
            if (_load.Way == JournalWay.Tasks)
            {
                await (_load.Depth == 1 ? _journal.AppendAsync(_node, PacketType, _bodies[0]) : _journal.AppendAsync(_packets))
                    .ConfigureAwait(false);
            }
            else
            {
                for (int i = 0; i < _pending.Length; i++)
                {
                    _pending[i] = _journal.AppendAsync(_node, PacketType, _bodies[i]);
                }

                for (int i = 0; i < _pending.Length; i++)
                {
                    await _pending[i].ConfigureAwait(false);
                }
            }

            from = Note(from);
        }
    }

    private void RunQueue(long until)
    {
        byte[] body = _bodies[0];
        long last = 0;
        while (true)
        {
            JournalBodies.Number(body, _name, Appended + 1);
            switch (_journal.TryAppend(_node, PacketType, body, out long position))
            {
                case SendResult.Queued:
                    last = position;
                    Appended++;
                    break;
                case SendResult.Full:
                    _journal.Commit(Math.Max(_journal.Committed, last - _half));
                    continue;
                default:
                    throw new LoadException($"The journal takes nothing more: {_journal.Failure?.Message}");
            }

            if (Appended % LookEvery == 0 && Stopwatch.GetTimestamp() >= until)
            {
                break;
            }
        }

        _journal.Commit(last);
    }

    private void NumberAll()
    {
        foreach (byte[] body in _bodies)
        {
            JournalBodies.Number(body, _name, ++Appended);
        }
    }

    private long Note(long from)
    {
        long now = Stopwatch.GetTimestamp();
        if (Count < Kept)
        {
            _waits[Count++] = now - from;
        }

        return now;
    }
}
