using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;

namespace Transport.Tool;

/// <summary>Stores the packets of all builds in one journal. If the journal fails (a full disk), the builds go on, and what is not known to be
/// stored is counted. Safe from any thread.</summary>
/// <param name="journal">The journal; null: nothing is stored. Not owned.</param>
/// <param name="isRequired">Whether a failure ends the links instead, so that the loggers fail their builds.</param>
/// <param name="failed">Called once, with why nothing more is stored; on any thread.</param>
internal sealed class KeptEvents(PacketJournal? journal, bool isRequired, Action<JournalException> failed)
{
    private readonly Lock _gate = new();
    private JournalException? _failure;   // all below: under the lock
    private readonly List<Store> _stores = [];
    private long _taken;

    /// <summary>Gets how many packets the builds have sent.</summary>
    public long Taken
    {
        get
        {
            lock (_gate)
            {
                return _taken;
            }
        }
    }

    /// <summary>Gets how many of them are known to be in the journal: a flush, or the journal's end, came behind them.</summary>
    public long Kept
    {
        get
        {
            lock (_gate)
            {
                return _stores.Sum(store => store.Kept);
            }
        }
    }

    /// <summary>Creates the store of one build.</summary>
    public IPacketStore StoreOf(string node)
    {
        var store = new Store(
            this, journal is null ? null : new JournalPacketStore(journal, new JournalNode(node)) { WaitsForCapacity = false });
        lock (_gate)
        {
            _stores.Add(store);
        }

        return store;
    }

    /// <summary>Reports that the journal has failed; the first call counts.</summary>
    public void Fail(JournalException failure)
    {
        lock (_gate)
        {
            if (_failure is not null)
            {
                return;
            }

            _failure = failure;
        }

        failed(failure);
    }

    /// <summary>Notes that the journal was closed well: everything that was appended is in it.</summary>
    public void Closed()
    {
        lock (_gate)
        {
            if (_failure is null)
            {
                _stores.ForEach(store => store.Kept = store.Appended);
            }
        }
    }

    private bool CanStore
    {
        get
        {
            lock (_gate)
            {
                return _failure is null && journal is not null;
            }
        }
    }

    private void Take()
    {
        lock (_gate)
        {
            _taken++;
        }
    }

    /// <summary>Takes a failure.</summary>
    /// <returns>Whether the build goes on.</returns>
    private bool IsSurvived(JournalException failure)
    {
        Fail(failure);
        return !isRequired;
    }

    /// <summary>The store of one build. Its counts are under the owner's lock.</summary>
    private sealed class Store(KeptEvents owner, JournalPacketStore? store) : IPacketStore
    {
        public long Appended { get; private set; }

        public long Kept { get; set; }

        public ValueTask AppendAsync(RawPacket packet, CancellationToken cancellationToken)
        {
            owner.Take();
            return owner.CanStore ? AppendedAsync(packet, cancellationToken) : default;
        }

        public ValueTask FlushAsync(CancellationToken cancellationToken) =>
            owner.CanStore ? FlushedAsync(cancellationToken) : default;

        private ValueTask AppendedAsync(RawPacket packet, CancellationToken cancellationToken)
        {
            try
            {
                ValueTask append = store!.AppendAsync(packet, cancellationToken);
                if (!append.IsCompletedSuccessfully)
                {
                    return WaitAsync(append);
                }

                NoteAppended();
            }
            catch (JournalException e) when (owner.IsSurvived(e))
            {
            }

            return default;
        }

        private async ValueTask WaitAsync(ValueTask append)
        {
            try
            {
                await append.ConfigureAwait(false);
                NoteAppended();
            }
            catch (JournalException e) when (owner.IsSurvived(e))
            {
            }
        }

        private async ValueTask FlushedAsync(CancellationToken cancellationToken)
        {
            long appended;
            lock (owner._gate)
            {
                appended = Appended;
            }

            try
            {
                await store!.FlushAsync(cancellationToken).ConfigureAwait(false);
                lock (owner._gate)
                {
                    Kept = Math.Max(Kept, appended);
                }
            }
            catch (JournalException e) when (owner.IsSurvived(e))
            {
            }
        }

        private void NoteAppended()
        {
            lock (owner._gate)
            {
                Appended++;
            }
        }
    }
}
