using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.Loads.Measuring;
using Transport.Loads.Workers;

namespace Transport.Loads.Journals;

/// <summary>A main node that keeps what its workers send, and acknowledges it once it is flushed. The journal is exchanged between
/// rounds.</summary>
internal sealed class DurableMain : IDisposable
{
    private const long Segment = 64L << 20;
    private const int WarmUp = 1_500;   // ms of each worker alone: fifty at once would compile for half a minute

    // A worker has few turns in a round, and compiling code once more with what was learned would fall into the rounds.
    private static readonly WorkerKind s_kind = WorkerKind.Net.With("DOTNET_TieredPGO", "0");

    private readonly LinkListener _listener = LinkListener.Start(WireKind.UnixSocket);
    private readonly List<LoadWorker> _workers = [];
    private readonly List<PacketJournal> _journals = [];
    private readonly StoreOfRound _store = new();
    private Exception? _fault;

    /// <summary>Initializes a new instance of the <see cref="DurableMain"/> class, with its workers connected.</summary>
    public DurableMain(int workers)
    {
        for (int i = 0; i < workers; i++)
        {
            LinkTicket ticket = _listener.Expect($"worker{i}");
            _ = ReceiveAsync(ticket);
            _workers.Add(new LoadWorker(s_kind, ticket.Secret.Reveal(), "durable", _listener.Endpoint.ToString()));
        }
    }

    /// <summary>Lets each worker send alone for some time, so that its code is compiled.</summary>
    public void WarmUpWorkers(string folder)
    {
        using PacketJournal journal = PacketJournal.Open(folder, new JournalOptions { SegmentBytes = Segment });
        _store.Use(new JournalPacketStore(journal));
        foreach (LoadWorker worker in _workers)
        {
            worker.Go(WarmUp);
            _ = worker.Done();
        }
    }

    /// <summary>Opens a journal and makes a load of so many workers on it.</summary>
    /// <param name="folder">Where it goes.</param>
    /// <param name="workers">How many.</param>
    /// <param name="backEnd">How it writes.</param>
    /// <param name="why">Why there is no such back end here; empty if there is.</param>
    /// <returns>The load; null if there is no such back end.</returns>
    public IJournalRival? Open(string folder, int workers, JournalBackEnd backEnd, out string why)
    {
        PacketJournal journal = PacketJournal.Open(folder, new JournalOptions
        {
            BackEnd = backEnd, SegmentBytes = Segment, Retention = new JournalRetention { MaxBytes = 4 * Segment },
        });
        why = journal.BackEnd.Equals(backEnd.ToString(), StringComparison.OrdinalIgnoreCase) ? string.Empty : journal.BackEndReason;
        if (why.Length > 0)
        {
            journal.Dispose();
            return null;
        }

        _journals.Add(journal);
        return new Load(this, new JournalPacketStore(journal), workers);
    }

    public void Dispose()
    {
        _workers.ForEach(w => w.Dispose());
        _listener.DisposeAsync().AsTask().GetAwaiter().GetResult();
        _journals.ForEach(j => j.Dispose());
    }

    private async Task ReceiveAsync(LinkTicket ticket)
    {
        Link link = await ticket.WaitForLinkAsync().ConfigureAwait(false);
        link.Start(new PacketRouter().UseStore(_store).OnRaw(DurableJob.Type, static _ => { }));
        LinkEnd end = await link.Completion.ConfigureAwait(false);
        if (!end.IsClean)
        {
            _fault = new LoadException($"The link of {ticket.Node} ended: {end}");
        }
    }

    /// <summary>The store of the round that runs.</summary>
    private sealed class StoreOfRound : IPacketStore
    {
        private volatile JournalPacketStore? _current;   // set while no worker sends, read by the links' threads

        public void Use(JournalPacketStore store) => _current = store;

        public ValueTask AppendAsync(RawPacket packet, CancellationToken cancellationToken) =>
            _current!.AppendAsync(packet, cancellationToken);

        public ValueTask FlushAsync(CancellationToken cancellationToken) => _current!.FlushAsync(cancellationToken);
    }

    private sealed class Load(DurableMain main, JournalPacketStore store, int workers) : IJournalRival
    {
        public JournalSample Run(int milliseconds)
        {
            main._store.Use(store);
            long before = store.LastPosition;
            Usage start = Usage.Now();
            for (int i = 0; i < workers; i++)
            {
                main._workers[i].Go(milliseconds);
            }

            long records = 0;
            Distribution? wait = null;
            for (int i = 0; i < workers; i++)
            {
                string[] words = main._workers[i].Done().Split(' ', 2);
                records += long.Parse(words[0], CultureInfo.InvariantCulture);
                wait ??= Distribution.Parse(words[1]);   // the first worker's: all do the same
            }

            Usage used = Usage.Now() - start;
            double cpu = used.CpuMicros;
            for (int i = 0; i < workers; i++)
            {
                cpu += main._workers[i].Stop().CpuMicros;
            }

            if (main._fault is { } fault)
            {
                throw fault;
            }

            return store.LastPosition - before == records
                ? new JournalSample(records, used.Seconds, cpu, Wait: wait)
                : throw new LoadException($"{records} packets are acknowledged, and the journal has {store.LastPosition - before} more.");
        }

        public void Dispose()
        {
            // The workers and the journal are the main node's.
        }
    }
}
