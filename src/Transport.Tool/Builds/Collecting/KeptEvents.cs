using System;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;

namespace Transport.Tool;

/// <summary>Stores the packets of all builds in one journal. If the journal fails (a full disk), the builds go on, and what is not stored
/// is counted. Safe from any thread.</summary>
/// <param name="journal">The journal; null: nothing is stored. Not owned.</param>
/// <param name="failed">Called once, with why nothing more is stored; on any thread.</param>
internal sealed class KeptEvents(PacketJournal? journal, Action<JournalException> failed)
{
    private readonly Lock _gate = new();
    private JournalException? _failure;   // all below: under the lock
    private long _taken, _lost;

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

    /// <summary>Gets how many of them were not stored.</summary>
    public long Lost
    {
        get
        {
            lock (_gate)
            {
                return _lost;
            }
        }
    }

    /// <summary>Creates the store of one build.</summary>
    public IPacketStore StoreOf(string node) =>
        new Store(this, journal is null ? null : new JournalPacketStore(journal, new JournalNode(node)));

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

    private bool HasFailed
    {
        get
        {
            lock (_gate)
            {
                return _failure is not null;
            }
        }
    }

    /// <summary>Counts a packet that has come.</summary>
    /// <returns>Whether it can be stored.</returns>
    private bool Take()
    {
        lock (_gate)
        {
            _taken++;
            _lost += _failure is null && journal is not null ? 0 : 1;
            return _failure is null && journal is not null;
        }
    }

    private void Lose()
    {
        lock (_gate)
        {
            _lost++;
        }
    }

    private sealed class Store(KeptEvents owner, JournalPacketStore? store) : IPacketStore
    {
        public ValueTask AppendAsync(RawPacket packet, CancellationToken cancellationToken)
        {
            if (!owner.Take())
            {
                return default;
            }

            try
            {
                ValueTask append = store!.AppendAsync(packet, cancellationToken);
                return append.IsCompletedSuccessfully ? default : WaitAsync(append);
            }
            catch (JournalException e)
            {
                owner.Fail(e);
                owner.Lose();
                return default;
            }
        }

        public ValueTask FlushAsync(CancellationToken cancellationToken) =>
            store is null || owner.HasFailed ? default : FlushAsync(store.FlushAsync(cancellationToken));

        private async ValueTask WaitAsync(ValueTask append)
        {
            try
            {
                await append.ConfigureAwait(false);
            }
            catch (JournalException e)
            {
                owner.Fail(e);
                owner.Lose();
            }
        }

        private async ValueTask FlushAsync(ValueTask flush)
        {
            try
            {
                await flush.ConfigureAwait(false);
            }
            catch (JournalException e)
            {
                owner.Fail(e);
            }
        }
    }
}
