using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>Workers into one listener of this process, as a main node has them.</summary>
internal sealed class FanInCourse : IDisposable
{
    private readonly RunOptions _options;
    private readonly LinkListener _listener = LinkListener.Start(WireKind.UnixSocket);
    private readonly List<EventSink> _sinks = [];
    private readonly List<LoadWorker> _workers = [];
    private readonly object _turn = new();   // held by a handler in rounds in which they take turns
    private volatile bool _takeTurns;        // set before a round's first event is sent

    public FanInCourse(RunOptions options, int workers)
    {
        _options = options;
        var catalog = new EventCatalog();
        for (int i = 0; i < workers; i++)
        {
            var sink = new EventSink(catalog);
            LinkTicket ticket = _listener.Expect($"worker{i}");
            _ = ReceiveAsync(ticket, sink, one => Take(one, sink));
            _sinks.Add(sink);
            _workers.Add(new LoadWorker(ticket.Secret.Reveal(), "events", Column.Transport, _listener.Endpoint.ToString()));
        }
    }

    /// <summary>Lets the first so many workers share the events of a round.</summary>
    /// <param name="workers">How many.</param>
    /// <param name="events">The events of all.</param>
    /// <param name="takeTurns">Whether the handlers of all links run one at a time, by a lock around each call.</param>
    /// <returns>The sample, and how much the worker that was furthest behind had through when the first was done: 1 is perfectly
    /// fair.</returns>
    public (Sample Sample, double Fairness) Run(int workers, int events, bool takeTurns = false)
    {
        _takeTurns = takeTurns;
        int each = events / workers;
        long[] before = [.. _sinks.Select(s => s.Count)];
        var behind = new TaskCompletionSource<double>(TaskCreationOptions.RunContinuationsAsynchronously);
        for (int i = 0; i < workers; i++)
        {
            _sinks[i].AllCame = () =>
                behind.TrySetResult(Enumerable.Range(0, workers).Min(w => (double)(_sinks[w].Count - before[w]) / each));
            _sinks[i].Expect(each);
        }

        Usage start = Usage.Now();
        for (int i = 0; i < workers; i++)
        {
            _workers[i].Go(each);
        }

        for (int i = 0; i < workers; i++)
        {
            _sinks[i].WaitForAll(_options.Limit);
        }

        Usage here = Usage.Now() - start;
        Usage there = default;
        for (int i = 0; i < workers; i++)
        {
            _workers[i].Done();
            Usage used = _workers[i].Stop();
            there = new Usage(0, there.CpuMicros + used.CpuMicros, there.Allocated + used.Allocated);
        }

        var sample = new Sample((long)each * workers, here.Seconds, there.CpuMicros, here.CpuMicros, there.Allocated, here.Allocated);
        return (sample, behind.Task.GetAwaiter().GetResult());
    }

    public void Dispose()
    {
        _workers.ForEach(w => w.Dispose());
        _listener.DisposeAsync().AsTask().GetAwaiter().GetResult();
        _sinks.ForEach(s => s.Dispose());
    }

    private static async Task ReceiveAsync(LinkTicket ticket, EventSink sink, Action<LoadEvent> take)
    {
        Link link = await ticket.WaitForLinkAsync().ConfigureAwait(false);
        link.Start(new PacketRouter().On(LoadEventFormatter.Type, (one, _) => take(one)));
        LinkEnd end = await link.Completion.ConfigureAwait(false);
        if (!end.IsClean)
        {
            sink.Fail($"The link of {ticket.Node} ended: {end}");
        }
    }

    private void Take(LoadEvent one, EventSink sink)
    {
        if (!_takeTurns)
        {
            sink.Take(one);
            return;
        }

        lock (_turn)
        {
            sink.Take(one);
        }
    }
}
