using System;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>One column of a load of events: a worker process, the receiver in this process, and rounds between them.</summary>
internal sealed class EventCourse : IDisposable
{
    private const int First = 30_000;

    private readonly EventSink _sink;
    private readonly IEventReceiver _receiver;
    private readonly LoadWorker _worker;
    private readonly RunOptions _options;
    private int _count = First;

    public EventCourse(RunOptions options, EventCatalog catalog, string column)
    {
        _options = options;
        _sink = new EventSink(catalog);
        _receiver = Column.Receive(column, _sink);
        _worker = new LoadWorker(_receiver.Secret, "events", column, _receiver.Address);
    }

    /// <summary>Runs until the code is warm, and finds how many events make a round of the wanted length.</summary>
    public void WarmUp()
    {
        Sample last = Run(First);
        for (double spent = last.Seconds; spent < _options.WarmUpSeconds; spent += last.Seconds)
        {
            last = Run(Math.Clamp((int)(last.PacketsPerSecond * 0.1), 5_000, 500_000));
        }

        _count = Math.Clamp((int)(last.PacketsPerSecond * _options.RoundSeconds), 5_000, 2_000_000);
    }

    /// <summary>Measures one round: both processes from just before the order until the last event has been checked.</summary>
    public Sample Run() => Run(_count);

    /// <summary>Measures one round of so many events.</summary>
    public Sample Run(int count)
    {
        _sink.Expect(count);
        Usage before = Usage.Now();
        _worker.Go(count);
        _sink.WaitForAll(_options.Limit);
        Usage here = Usage.Now() - before;
        _worker.Done();
        Usage there = _worker.Stop();
        return new Sample(count, here.Seconds, there.CpuMicros, here.CpuMicros, there.Allocated, here.Allocated);
    }

    public void Dispose()
    {
        _worker.Dispose();
        _receiver.Dispose();
        _sink.Dispose();
    }
}
