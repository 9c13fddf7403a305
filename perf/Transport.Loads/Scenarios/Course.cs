using System;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>One column of a load: a worker process that sends, a receiver in this process, and rounds between them.</summary>
internal sealed class Course : IDisposable
{
    private readonly LoadSink _sink;
    private readonly IEventReceiver _receiver;
    private readonly LoadWorker _worker;
    private readonly RunOptions _options;
    private readonly RoundLength _length;

    private Course(RunOptions options, LoadSink sink, IEventReceiver receiver, int least, params string[] job)
    {
        _options = options;
        _sink = sink;
        _receiver = receiver;
        _length = new RoundLength(options, least, 4_000_000, Run);
        _worker = new LoadWorker(receiver.Secret, job);
    }

    /// <summary>Events over a column's own path.</summary>
    public static Course Events(RunOptions options, EventCatalog catalog, string column)
    {
        var sink = new EventSink(catalog);
        IEventReceiver receiver = Column.Receive(column, sink);
        return new Course(options, sink, receiver, 5_000, "events", column, receiver.Address);
    }

    /// <summary>Packets that are bytes already, over this library's path: <c>SendRaw</c> to <c>OnRaw</c>.</summary>
    /// <param name="options">The options.</param>
    /// <param name="word">Which packets: see <see cref="BodySet.Make"/>.</param>
    /// <param name="least">The fewest packets of a round.</param>
    public static Course Bodies(RunOptions options, string word, int least)
    {
        var sink = new BodySink(BodySet.Make(word));
        var receiver = new TransportReceiver(_ => Router(sink), sink.Fail);
        return new Course(options, sink, receiver, least, "bodies", receiver.Address, word);
    }

    /// <summary>Runs until the code is warm, and finds how many packets make a round of the wanted length.</summary>
    public void WarmUp() => _length.WarmUp();

    /// <summary>Measures one round: both processes from just before the order until the last packet has been checked.</summary>
    public Sample Run() => _length.Run();

    public void Dispose()
    {
        _worker.Dispose();
        _receiver.Dispose();
        _sink.Dispose();
    }

    private static PacketRouter Router(BodySink sink) => new PacketRouter().OnRaw(BodySet.Type, p => sink.Take(p.Body));

    private Sample Run(int count) => Round(_sink, _worker, count, count, _options.Limit);

    /// <summary>Measures one round of a worker that sends and a sink in this process.</summary>
    /// <param name="sink">Where the packets come.</param>
    /// <param name="worker">Who sends them.</param>
    /// <param name="count">How many will come.</param>
    /// <param name="order">What the worker is asked for: how many.</param>
    /// <param name="limit">How long it may take.</param>
    public static Sample Round(LoadSink sink, LoadWorker worker, int count, int order, TimeSpan limit)
    {
        sink.Expect(count);
        Usage before = Usage.Now();
        worker.Go(order);
        sink.WaitForAll(limit);
        Usage here = Usage.Now() - before;
        worker.Done();
        Usage there = worker.Stop();
        return new Sample(count, here.Seconds, there.CpuMicros, here.CpuMicros, there.Allocated, here.Allocated)
        {
            Compiled = there.Compiled + here.Compiled,
        };
    }
}
