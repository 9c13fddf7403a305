using System;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Summary;
using Transport;
using Transport.Journal;

namespace BuildHarness.Journaling;

/// <summary>The journal of a command with workers: keeps every packet that is taken, and knows what to do when that fails. Safe from any
/// thread.</summary>
internal sealed class RunJournal
{
    private readonly object _gate = new();
    private readonly JournalSettings _settings;
    private readonly int _exitCode;
    private readonly Action<HarnessException> _failed;
    private readonly Action<string> _say;
    private PacketJournal? _journal;
    private long _before;
    private JournalFailure? _failure;
    private JournalSummary? _closed;

    private RunJournal(JournalSettings settings, int exitCode, Action<HarnessException> failed, Action<string> say)
    {
        _settings = settings;
        _exitCode = exitCode;
        _failed = failed;
        _say = say;
    }

    /// <summary>Gets a value indicating whether the work goes on without the journal, which has failed.</summary>
    public bool IsGivenUp => Volatile.Read(ref _failure) is not null && _settings.IsOptional;

    /// <summary>Opens the journal, or makes it.</summary>
    /// <param name="settings">What the command line says; null: none is kept.</param>
    /// <param name="exitCode">What a failure means for the process.</param>
    /// <param name="largestPacket">The largest packet that workers may send, in bytes.</param>
    /// <param name="failed">Called once if the journal fails later and the work must end.</param>
    /// <param name="say">Takes a line: what was repaired, or that the work goes on without the journal.</param>
    /// <returns>The journal, or null if none is wanted.</returns>
    /// <exception cref="HarnessException">It cannot be opened, and is not optional.</exception>
    public static RunJournal? Open(
        JournalSettings? settings, int exitCode, int largestPacket, Action<HarnessException> failed, Action<string> say)
    {
        if (settings is null)
        {
            return null;
        }

        var opened = new RunJournal(settings, exitCode, failed, say);
        try
        {
            var options = new JournalOptions { Sync = settings.Sync, MaxPacketBytes = largestPacket };
            options.SegmentBytes = settings.SegmentBytes ?? options.SegmentBytes;
            opened._journal = PacketJournal.Open(settings.Directory, options);
            opened._before = opened._journal.Appended;
            if (opened._journal.Recovery.Line is { } line)
            {
                say(line);
            }
        }
        catch (ArgumentException e)
        {
            throw new HarnessException(e.Message, exitCode);
        }
        catch (JournalException e)
        {
            if (!settings.IsOptional)
            {
                throw new HarnessException(opened.Sentence(e), exitCode);
            }

            opened.GiveUp(e, 1, null);
        }

        return opened;
    }

    /// <summary>Creates the store of one worker's packets.</summary>
    public IPacketStore StoreOf(string node) =>
        new OptionalStore(this, _journal is null ? null : new JournalPacketStore(_journal, new JournalNode(node))
        {
            WaitsForCapacity = false,   // a full disk must not hold up a build
        });

    /// <summary>Reports that the journal has failed; the first call counts. If it is not optional, the work is asked to end.</summary>
    public void Fail(JournalException cause)
    {
        PacketJournal journal = _journal!;

        // Everything up to there is safe; what comes after it may be found in the journal, or not.
        long position = journal.Committed + 1;
        GiveUp(cause, Math.Max(1, position - _before), position);
    }

    /// <summary>Closes the journal; after all links have ended.</summary>
    /// <returns>What became of it.</returns>
    public async Task<JournalSummary> CloseAsync()
    {
        if (_closed is not null)
        {
            return _closed;
        }

        if (_journal is { } journal)
        {
            try
            {
                await journal.CloseAsync().ConfigureAwait(false);
            }
            catch (JournalException e)
            {
                Fail(e);
            }
        }

        return _closed = Summarize();
    }

    private JournalSummary Summarize()
    {
        if (_journal is not { } journal)
        {
            return new JournalSummary { Directory = _settings.Directory, Sync = _settings.Sync, Failure = _failure };
        }

        long last = _failure?.FromPosition - 1 ?? journal.Committed;
        return new JournalSummary
        {
            Directory = _settings.Directory,
            Id = journal.Id,
            Sync = journal.Sync,
            BackEnd = journal.BackEnd,
            Repaired = journal.Recovery.Line,
            Packets = Math.Max(0, last - _before),
            FirstPosition = last > _before ? _before + 1 : null,
            LastPosition = last > _before ? last : null,
            Failure = _failure,
        };
    }

    private void GiveUp(JournalException cause, long packet, long? position)
    {
        lock (_gate)
        {
            if (_failure is not null)
            {
                return;
            }

            Volatile.Write(ref _failure, new JournalFailure(cause.Fault, cause.Message, packet, position));
        }

        if (_settings.IsOptional)
        {
            string where = position is null ? string.Empty : FormattableString.Invariant($" (position {position})");
            _say(FormattableString.Invariant(
                $"{Sentence(cause)} Going on without it: packets from number {packet} on{where} are not kept."));
        }
        else
        {
            _failed(new HarnessException(Sentence(cause), _exitCode));
        }
    }

    private string Sentence(JournalException cause)
    {
        string sentence = cause.Message.ReplaceLineEndings(" ").TrimEnd();
        return $"--journal {_settings.Directory}: {sentence}{(sentence.EndsWith('.') ? string.Empty : ".")}";
    }
}
