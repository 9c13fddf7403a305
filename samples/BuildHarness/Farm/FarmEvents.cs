using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Building;
using NATS.Client.Core;
using Transport;
using Transport.Journal;
using Transport.MSBuild;
using Transport.Nats;

namespace BuildHarness.Farm;

/// <summary>The events of the farm's workers, as they come home: each agent's journal is received into a folder, read as it grows, and its
/// events handed on in order. Counts them by worker, so that nobody need believe that they are complete. Safe from any thread.</summary>
internal sealed class FarmEvents : IAsyncDisposable
{
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(10), LookAgain = TimeSpan.FromMilliseconds(200);

    private readonly JournalReceiver _receiver;
    private readonly DirectoryInfo _folder;
    private readonly EventFeed _feed;
    private readonly Func<string, IPacketStore>? _storeOf;
    private readonly Action<HarnessException> _fail;
    private readonly CancellationTokenSource _ended = new();
    private readonly Lock _gate = new();   // over the next three; nobody is called while it is held
    private readonly Dictionary<(Guid Journal, string Node), long> _events = [];
    private readonly Dictionary<Guid, string> _prefixes = [];
    private readonly List<Waiter> _waiters = [];
    private readonly Task _looking;
    private long _packets;   // by Interlocked, raised by the followers, read by anybody

    private FarmEvents(
        INatsConnection connection, string build, EventFeed feed, Func<string, IPacketStore>? storeOf, Action<string> say,
        Action<HarnessException> fail)
    {
        (_feed, _storeOf, _fail) = (feed, storeOf, fail);
        _folder = Directory.CreateTempSubdirectory("buildharness-home-");
        _receiver = JournalReceiver.Start(connection, _folder.FullName, new ReceiverOptions
        {
            Stream = FarmSettings.Events(), Name = build, Machines = [build], MaxPacketBytes = WorkerFleet.LargestEvent,
            ForgetAfter = TimeSpan.FromHours(1), GiveUpAfter = FarmSettings.Patience, Report = say,
            ConfigureJournal = journal => (journal.SegmentBytes, journal.Sync) = (8 << 20, JournalSync.None),
        });
        _looking = Task.Run(LookAsync);
    }

    /// <summary>Gets how many packets have come.</summary>
    public long Packets => Interlocked.Read(ref _packets);

    /// <summary>Starts to receive.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="build">The build's id.</param>
    /// <param name="feed">Takes the events.</param>
    /// <param name="storeOf">Makes what keeps every packet of a worker; null: none is kept.</param>
    /// <param name="say">Takes a line for people.</param>
    /// <param name="fail">Called if no more events can come.</param>
    /// <exception cref="HarnessException">There is no place for them.</exception>
    public static FarmEvents Start(
        INatsConnection connection, string build, EventFeed feed, Func<string, IPacketStore>? storeOf, Action<string> say,
        Action<HarnessException> fail)
    {
        try
        {
            return new FarmEvents(connection, build, feed, storeOf, say, fail);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new HarnessException($"The farm's events are received into {Path.GetTempPath()}, which cannot be written: {e.Message}");
        }
    }

    /// <summary>Returns how home names a worker: as its agent does, or with a number if an agent of that name was there before.</summary>
    public string NameOf(Guid journal, string node)
    {
        string agent = AgentSite.AgentOf(node);
        lock (_gate)
        {
            if (!_prefixes.TryGetValue(journal, out string? prefix))
            {
                prefix = agent;
                for (int i = 2; _prefixes.ContainsValue(prefix); i++)
                {
                    prefix = FormattableString.Invariant($"{agent}_{i}");
                }

                _prefixes.Add(journal, prefix);
            }

            return prefix + node[agent.Length..];
        }
    }

    /// <summary>Returns how many events of a journal have come.</summary>
    public long Of(Guid journal)
    {
        lock (_gate)
        {
            return _events.Where(one => one.Key.Journal == journal).Sum(one => one.Value);
        }
    }

    /// <summary>Waits until so many events of a worker have been handed on.</summary>
    /// <returns>A task; false: some of the journal are lost, or they have not come in time.</returns>
    /// <exception cref="OperationCanceledException">From the task.</exception>
    public async Task<bool> WaitAsync(Guid journal, string node, long events, CancellationToken cancellationToken)
    {
        var waiter = new Waiter(journal, node, events);
        lock (_gate)
        {
            if (_events.GetValueOrDefault((journal, node)) >= events)
            {
                return true;
            }

            _waiters.Add(waiter);
        }

        try
        {
            return await waiter.Task.WaitAsync(FarmSettings.Patience, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            return false;
        }
        finally
        {
            lock (_gate)
            {
                _waiters.Remove(waiter);
            }
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        await _looking.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _receiver.DisposeAsync().ConfigureAwait(false);
        _ended.Dispose();
        try
        {
            _folder.Delete(recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // It is in the folder of temporary files.
        }
    }

    /// <summary>Looks for journals that have begun to come, and for what is lost.</summary>
    private async Task LookAsync()
    {
        var followers = new Dictionary<string, Task>(StringComparer.Ordinal);
        using var timer = new PeriodicTimer(Look);
        try
        {
            while (await timer.WaitForNextTickAsync(_ended.Token).ConfigureAwait(false))
            {
                foreach (ReceivedJournal one in _receiver.Status.Journals)
                {
                    if (!followers.ContainsKey(one.Directory))
                    {
                        followers.Add(one.Directory, FollowAsync(one));
                    }

                    if (one.Gaps.Count > 0)
                    {
                        GiveUp(one);
                    }
                }

                if (_receiver.Completion.IsCompleted)
                {
                    await _receiver.Completion.ConfigureAwait(false);
                    return;
                }
            }
        }
        catch (Exception e) when (e is FleetException or JournalException or IOException)
        {
            _fail(new HarnessException($"The farm's events cannot be received any more: {e.Message}"));
        }
        finally
        {
            await Task.WhenAll(followers.Values).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async Task FollowAsync(ReceivedJournal journal)
    {
        var stores = new Dictionary<string, IPacketStore>(StringComparer.Ordinal);
        long position = 0;
        try
        {
            while (true)
            {
                using var reader = JournalReader.Open(journal.Directory, new JournalReaderOptions
                {
                    From = position == 0 ? 0 : position + 1, Follow = true, PollInterval = Look,
                });
                do
                {
                    while (reader.TryRead(out JournalRecord record))
                    {
                        position = record.Position;
                        await TakeAsync(journal.Id, record.Node, record.Type, record.ToArray(), stores).ConfigureAwait(false);
                    }
                }
                while (await reader.WaitAsync(_ended.Token).ConfigureAwait(false));

                // It is closed when nothing has come for a minute, and opened again.
                await Task.Delay(LookAgain, _ended.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (_ended.IsCancellationRequested)
        {
            // Disposed of.
        }
        catch (Exception e) when (e is JournalException or TransportException)
        {
            _fail(new HarnessException($"The farm's events cannot be read: {e.Message}"));
        }
    }

    private async ValueTask TakeAsync(Guid journal, string sender, ushort type, byte[] body, Dictionary<string, IPacketStore> stores)
    {
        Interlocked.Increment(ref _packets);
        string node = NameOf(journal, sender);
        if (_storeOf is not null)
        {
            if (!stores.TryGetValue(node, out IPacketStore? store))
            {
                stores.Add(node, store = _storeOf(node));
            }

            await store.AppendAsync(new RawPacket(type, Lane.Normal, body), CancellationToken.None).ConfigureAwait(false);
        }

        if (type != BuildEvent.PacketType.Id)
        {
            return;
        }

        _feed.Take(node, new RawPacket(type, Lane.Normal, body));
        Waiter[] done;
        lock (_gate)
        {
            long events = _events[(journal, sender)] = _events.GetValueOrDefault((journal, sender)) + 1;
            done = _waiters.Count == 0 ? []
                : [.. _waiters.Where(waiter => waiter.Is(journal, sender) && events >= waiter.Events)];
        }

        foreach (Waiter waiter in done)
        {
            waiter.End(came: true);
        }
    }

    /// <summary>Ends who waits for events of a journal of which some are lost.</summary>
    private void GiveUp(ReceivedJournal journal)
    {
        Waiter[] vain;
        lock (_gate)
        {
            vain = [.. _waiters.Where(waiter => waiter.Journal == journal.Id)];
        }

        foreach (Waiter waiter in vain)
        {
            waiter.End(came: false);
        }
    }

    /// <summary>Who waits for a worker's events.</summary>
    private sealed class Waiter(Guid journal, string node, long events)
    {
        private readonly TaskCompletionSource<bool> _end = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Guid Journal => journal;

        public long Events => events;

        public Task<bool> Task => _end.Task;

        public bool Is(Guid ofJournal, string ofNode) => journal == ofJournal && node == ofNode;

        public void End(bool came) => _end.TrySetResult(came);
    }
}
