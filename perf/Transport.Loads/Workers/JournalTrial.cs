using System;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.Loads.Journals;
using Transport.Loads.Measuring;

namespace Transport.Loads.Workers;

/// <summary>An open journal and its producers. Threads are made once and stand at a barrier between rounds, so that a round measures
/// appends alone.</summary>
internal sealed class JournalTrial
{
    private readonly JournalLoad _load;
    private readonly PacketJournal _journal;
    private readonly JournalProducer[] _producers;
    private readonly Barrier? _barrier;
    private readonly Func<long> _untilNow;
    private long _until;
    private bool _ended;
    private Exception? _fault;

    public JournalTrial(string folder, JournalLoad load, long segment, long kept)
    {
        _load = load;
        var options = new JournalOptions
        {
            Sync = Enum.Parse<JournalSync>(load.Sync),
            BackEnd = Enum.Parse<JournalBackEnd>(load.BackEnd, ignoreCase: true),
            SegmentBytes = segment,
            Retention = new JournalRetention { MaxBytes = kept },
        };
        _journal = PacketJournal.Open(folder, options);
        _producers = [.. Enumerable.Range(0, load.Producers).Select(i => new JournalProducer(_journal, load, i, options.MaxQueuedBytes))];
        _untilNow = () => Volatile.Read(ref _until);
        if (load.Way is JournalWay.Threads or JournalWay.Queue)
        {
            _barrier = new Barrier(load.Producers + 1);
            foreach (JournalProducer producer in _producers)
            {
                new Thread(() => Work(producer)) { IsBackground = true, Name = "producer" }.Start();
            }
        }
    }

    /// <summary>Gets the back end, and why that one.</summary>
    public string BackEnd => $"{_journal.BackEnd}: {_journal.BackEndReason}";

    /// <summary>Measures a round.</summary>
    public JournalSample Run(double milliseconds)
    {
        double nothing = Measure(0).Allocated;
        JournalSample sample = Measure(milliseconds);
        return sample with { Allocated = Math.Max(0, sample.Allocated - nothing) };
    }

    /// <summary>Closes the journal and reads it: every record that is still kept must be there, in order and unchanged, up to the last one
    /// appended.</summary>
    /// <returns>How many were read.</returns>
    public long Close(string folder)
    {
        _ended = true;
        _barrier?.SignalAndWait();
        _journal.CloseAsync().AsTask().GetAwaiter().GetResult();
        var check = new JournalBodies.Check(_load.Size);
        long count = 0;
        using JournalReader reader = JournalReader.Open(folder);
        while (reader.TryRead(out JournalRecord record))
        {
            check.Take(record.Body);
            count++;
        }

        if (reader.Condition != JournalCondition.Closed)
        {
            throw new LoadException($"The journal was closed, and reads as {reader.Condition}: {reader.Ending}");
        }

        for (int i = 0; i < _producers.Length; i++)
        {
            if (check.Last(i) != _producers[i].Appended)
            {
                throw new LoadException(
                    $"Producer {i} appended {_producers[i].Appended} records, and the last one kept is {check.Last(i)}.");
            }
        }

        return count;
    }

    private JournalSample Measure(double milliseconds)
    {
        foreach (JournalProducer producer in _producers)
        {
            producer.Begin();
        }

        long appended = _producers.Sum(p => p.Appended);
        Usage used = _barrier is null ? RunTasks(milliseconds) : RunThreads(milliseconds);
        if (_fault is { } fault)
        {
            throw new LoadException($"An append failed: {fault.Message}");
        }

        long[] waits = [.. _producers.SelectMany(p => p.Waits.ToArray())];
        return new JournalSample(_producers.Sum(p => p.Appended) - appended, used.Seconds, used.CpuMicros, used.Allocated, waits.Length > 0
            ? Distribution.Of(waits) : null);
    }

    private Usage RunThreads(double milliseconds)
    {
        Usage before = Usage.Now();
        _until = before.Ticks + (long)(milliseconds / 1e3 * Stopwatch.Frequency);
        _barrier!.SignalAndWait();
        _barrier.SignalAndWait();
        return Usage.Now() - before;
    }

    private Usage RunTasks(double milliseconds)
    {
        var begin = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task all = Task.WhenAll(_producers.Select(p => p.RunAsync(begin.Task, _untilNow)).ToArray());
        Usage before = Usage.Now();
        Volatile.Write(ref _until, before.Ticks + (long)(milliseconds / 1e3 * Stopwatch.Frequency));
        begin.SetResult();
        all.GetAwaiter().GetResult();
        return Usage.Now() - before;
    }

    private void Work(JournalProducer producer)
    {
        while (true)
        {
            _barrier!.SignalAndWait();
            if (_ended)
            {
                return;
            }

            try
            {
                producer.RunOnThread(_until);
            }
            catch (Exception e) when (e is JournalException or LoadException)
            {
                _fault = e;
            }

            _barrier.SignalAndWait();
        }
    }
}
