using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace Transport.Journal;

/// <summary>The main node's side of lanes that spill: takes their packets apart, drops those that were handled before, over whichever link,
/// and gives the others to the handlers of their own types.</summary>
/// <remarks>
/// <para>What it knows of each journal is the number of the last packet that was handled; so two links of one sender, an old one whose
/// packets still wait here and a new one, cannot bring a packet twice: one waits for the other.</para>
/// <para>It knows that for as long as it lives. A main node that ends and is to see nothing twice afterwards saves <see cref="Marks"/>
/// together with what its handlers made, and gives them to the next one: as durable as that is, as durable is this.</para>
/// <para>A packet whose handler throws is not handled: it comes again with the sender's next link.</para>
/// </remarks>
public sealed class SpillReceiver
{
    private readonly object _gate = new();
    private readonly Dictionary<Guid, SpillEntry> _entries = [];
    private readonly int _mostJournals;
    private long _uses;
    private long _handled;   // raised by the receive threads of all links; read by all: counts by themselves
    private long _doubles;   // the same

    /// <summary>Initializes a new instance of the <see cref="SpillReceiver"/> class. One serves all links of a main node.</summary>
    /// <param name="marks">What an earlier one knew; null: nothing.</param>
    /// <param name="mostJournals">Of how many journals it knows at most, 1 to 1,048,576; of one more, the one that was quiet for longest is
    /// forgotten. 4,096 by default.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="mostJournals"/> is another number.</exception>
    public SpillReceiver(IEnumerable<SpillMark>? marks = null, int mostJournals = 4096)
    {
        _mostJournals = mostJournals is >= 1 and <= 1 << 20
            ? mostJournals
            : throw new ArgumentOutOfRangeException(nameof(mostJournals), mostJournals, "Allowed: 1 to 1,048,576.");
        foreach (SpillMark mark in marks ?? [])
        {
            SpillEntry entry = Rent((mark ?? throw new ArgumentException("A mark is null.", nameof(marks))).Journal);
            entry.Set(new SpillNumber(mark.Position, mark.Opening, mark.Index));
            Return(entry);
        }
    }

    /// <summary>Gets how many packets were given to handlers.</summary>
    public long Handled => Volatile.Read(ref _handled);

    /// <summary>Gets how many packets came again and were dropped.</summary>
    public long Duplicates => Volatile.Read(ref _doubles);

    /// <summary>Gets the marks of all journals, to be saved. Take it while no handler runs, or after the links have ended, if it is to fit
    /// exactly what handlers made.</summary>
    /// <returns>A mark for each journal.</returns>
    public IReadOnlyList<SpillMark> Marks()
    {
        var marks = new List<SpillMark>();
        lock (_gate)
        {
            foreach (KeyValuePair<Guid, SpillEntry> one in _entries)
            {
                SpillNumber last = one.Value.Last;
                marks.Add(new SpillMark(one.Key, last.Position, last.Opening, last.Index));
            }
        }

        return marks;
    }

    /// <summary>Lets a router take spilled packets. Its handlers of the packets inside, and that of unknown ones, get them as if they had
    /// come alone; a store (<see cref="PacketRouter.UseStore"/>) gets what came, doubles too. A loop (<c>PacketRouter.ReadAllAsync</c>) gets
    /// the next of them when it is done with the one before, so its body waits for no response of the same link. It ends by its token only;
    /// then a packet that it was not done with ends the link (also with <see cref="LinkOptions.EndOnHandlerFailure"/> off), and comes
    /// again.</summary>
    /// <param name="router">The router, not in use yet; handlers may be added before and after.</param>
    /// <returns>The router.</returns>
    /// <exception cref="ArgumentException">It does so already.</exception>
    /// <exception cref="InvalidOperationException">A link uses it.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="router"/> is null.</exception>
    public PacketRouter AddTo(PacketRouter router)
    {
        PacketRouter to = router ?? throw new ArgumentNullException(nameof(router));
        _ = to.Add(SpillPacket.Type, SpillHandler.PacketName, new SpillHandler(this, to));
        _ = to.Hold();   // for ever: behind a sender's link comes its next one
        return to;
    }

    /// <summary>Gets what is known of a journal, for one packet: <see cref="Return"/> ends that.</summary>
    internal SpillEntry Rent(Guid journal)
    {
        lock (_gate)
        {
            if (!_entries.TryGetValue(journal, out SpillEntry? entry))
            {
                Forget();
                _entries.Add(journal, entry = new SpillEntry());
            }

            entry.Used = ++_uses;
            entry.Users++;
            return entry;
        }
    }

    internal void Return(SpillEntry entry)
    {
        lock (_gate)
        {
            entry.Users--;
        }
    }

    internal void Count(bool isDouble) => _ = isDouble ? Interlocked.Increment(ref _doubles) : Interlocked.Increment(ref _handled);

    /// <summary>Forgets the journals that were quiet for longest, as many as are too many for one more. One in use stays, so there may be
    /// as many more as there are links.</summary>
    private void Forget()
    {
        int tooMany = _entries.Count + 1 - _mostJournals;
        if (tooMany <= 0)
        {
            return;
        }

        foreach (Guid quiet in _entries.Where(static one => one.Value.Users == 0).OrderBy(static one => one.Value.Used)
            .Select(static one => one.Key).Take(tooMany).ToList())
        {
            _entries.Remove(quiet);
        }
    }
}
