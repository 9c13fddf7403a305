using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;

namespace Transport.Nats;

/// <summary>The journals of a receiver, and where it stands. <see cref="Status"/> from any thread, the rest on its flow.</summary>
internal sealed class ReceiverBooks(string folder, ReceiverOptions options) : IAsyncDisposable
{
    private const int MostClosed = 1_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<(string Machine, Guid Journal), IncomingJournal> _journals = [];
    private readonly Dictionary<IncomingJournal, ReceivedPosition> _told = [];
    private readonly Dictionary<(string Machine, Guid Journal), ReceivedJournal> _closed = [];   // what they had last
    private readonly Quarantine _quarantine = new(folder, options.Report);
    private ReceiverStatus _status = new();   // under the lock

    /// <summary>Gets how it stands with the server.</summary>
    public ServerState Server { get; } = new(options.Report, "receiving goes on", options.TimeProvider);

    /// <summary>Gets where it stands.</summary>
    public ReceiverStatus Status
    {
        get
        {
            lock (_gate)
            {
                return _status with { Problem = Server.Problem };
            }
        }
    }

    /// <summary>Gets a value indicating whether packets of any journal are missing and waited for.</summary>
    public bool IsMissing => _journals.Values.Any(one => one.IsMissing);

    /// <summary>Returns a journal, opened if it was not.</summary>
    public IncomingJournal Of(string machine, Guid journal)
    {
        if (!_journals.TryGetValue((machine, journal), out IncomingJournal? incoming))
        {
            _journals[(machine, journal)] = incoming = IncomingJournal.Open(folder, machine, journal, options);
            _closed.Remove((machine, journal));
        }

        return incoming;
    }

    /// <summary>Puts a message aside.</summary>
    public void PutAside(string subject, ulong sequence, ReadOnlySpan<byte> message, string why)
    {
        _quarantine.Add(subject, sequence, message, why);
        Change(status => status with { Quarantined = _quarantine.Count });
    }

    /// <summary>Has shippers asked for what is missing, and gives up what has been missing for too long.</summary>
    public async ValueTask SettleMissingAsync()
    {
        foreach (IncomingJournal one in _journals.Values.Where(one => one.IsMissing))
        {
            if (one.Asked != 0 && one.Missing >= options.GapPatience)
            {
                JournalGap gap = await one.GiveUpAsync().ConfigureAwait(false);
                options.Report?.Invoke(FormattableString.Invariant(
                    $"{one.Machine}, journal {Words.Of(one.Id)}: overtaken from position {gap.From} to {gap.To}: {gap.Reason}"));
            }
            else if (one.Asked == 0 || one.Unanswered >= options.GapPatience / 2)
            {
                one.Ask();   // again, because who was to answer may have been killed, or what it sent lost with the server
            }
        }
    }

    /// <summary>Flushes what was appended.</summary>
    /// <returns>The journals of which the shipper is to be told something new.</returns>
    public async ValueTask<IReadOnlyList<IncomingJournal>> FlushAsync()
    {
        List<IncomingJournal>? changed = null;
        foreach (IncomingJournal one in _journals.Values)
        {
            if (one.IsDirty)
            {
                await one.FlushAsync().ConfigureAwait(false);
            }

            if (!_told.TryGetValue(one, out ReceivedPosition told) || told != new ReceivedPosition(one.Flushed, one.Asked))
            {
                (changed ??= []).Add(one);
            }
        }

        return changed ?? (IReadOnlyList<IncomingJournal>)[];
    }

    /// <summary>Closes journals of which nothing has come for a while: a farm has thousands, and an open one takes descriptors, threads and
    /// memory. One of which something comes again is opened again.</summary>
    public async ValueTask CloseIdleAsync()
    {
        foreach (((string, Guid) key, IncomingJournal one) in _journals.Where(pair => IsIdle(pair.Value)).ToArray())
        {
            _closed[key] = Snapshot(one);
            if (_closed.Count > MostClosed)
            {
                _closed.Remove(_closed.Keys.First());
            }

            _journals.Remove(key);
            _told.Remove(one);
            await one.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Notes that the shipper was told.</summary>
    public void Told(IncomingJournal journal) => _told[journal] = new ReceivedPosition(journal.Flushed, journal.Asked);

    /// <summary>Notes that all shippers were told: others may see how their journals stand.</summary>
    public void Show()
    {
        Server.Works();
        ReceivedJournal[] all = [.. _journals.Values.Select(Snapshot).Concat(_closed.Values)
            .OrderBy(one => one.Machine, StringComparer.Ordinal).ThenBy(one => one.Id)];
        Change(status => status with { Journals = all });
    }

    /// <summary>Begins with a server that may have forgotten what it was told.</summary>
    public void Begin()
    {
        _told.Clear();
        Server.Works();
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (IncomingJournal one in _journals.Values)
        {
            await one.DisposeAsync().ConfigureAwait(false);
        }
    }

    private bool IsIdle(IncomingJournal one) => one is { IsDirty: false, IsMissing: false } && one.Idle >= options.CloseAfter
        && _told.TryGetValue(one, out ReceivedPosition told) && told.Position == one.Flushed;

    private static ReceivedJournal Snapshot(IncomingJournal one) => new()
    {
        Id = one.Id,
        Machine = one.Machine,
        Directory = one.Directory,
        Position = one.Flushed,
        Packets = one.FlushedNumber,
        Doubles = one.Doubles,
        Gaps = [.. one.Gaps],
        Problem = one.IsMissing ? FormattableString.Invariant($"packets behind position {one.Last} are missing, and were asked for") : null,
    };

    private void Change(Func<ReceiverStatus, ReceiverStatus> change)
    {
        lock (_gate)
        {
            _status = change(_status);
        }
    }
}
