using System;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Loads.Events;
using Transport.Loads.Measuring;

namespace Transport.Loads.Workers;

/// <summary>Requests over a Unix socket, both ends in this process, whose CPU counts both. Order: the way, how many, how many at
/// once.</summary>
internal sealed class RequestsJob : IJob
{
    /// <summary>RequestAsync as it is.</summary>
    public const string Plain = "request";

    /// <summary>The same while an ActivityListener records every span.</summary>
    public const string Traced = "traced";

    /// <summary>The same while a MeterListener reads the meter, at the beginning and then each second.</summary>
    public const string Metered = "metered";

    /// <summary>The same as a call of a typed service.</summary>
    public const string Service = "service";

    /// <summary>Items of one stream.</summary>
    public const string Stream = "stream";

    /// <summary>Log events of one lane, sent as fast as they are taken.</summary>
    public const string Events = "events";

    /// <summary>The same while a MeterListener reads the meter, each second.</summary>
    public const string MeteredEvents = "metered events";

    private readonly LinkListener _listener = LinkListener.Start(WireKind.UnixSocket);
    private readonly Link _main;
    private readonly Link _worker;
    private readonly LocatorClient _client;
    private readonly LoadEvent _event = new EventCatalog().Make(EventCatalog.FirstId);
    private long _handled;

    public RequestsJob()
    {
        LinkTicket ticket = _listener.Expect("worker");
        _worker = Link.ConnectAsync(_listener.Endpoint, ticket.Secret).GetAwaiter().GetResult();
        _main = ticket.WaitForLinkAsync().GetAwaiter().GetResult();
        _main.Start(Locator.Router().On(LoadEventFormatter.Type, (_, _) => Interlocked.Increment(ref _handled)));
        _worker.Start(new PacketRouter());
        _client = new LocatorClient(_worker);
    }

    public string Run(string[] order)
    {
        string way = order[0].Replace('-', ' ');
        int count = int.Parse(order[1], CultureInfo.InvariantCulture);
        int atOnce = int.Parse(order[2], CultureInfo.InvariantCulture);
        using ActivityListener? traces = way == Traced ? Record() : null;
        using MeterListener? meter = way is Metered or MeteredEvents ? Read() : null;
        using var reading = meter is null ? null
            : new Timer(_ => meter.RecordObservableInstruments(), null, TimeSpan.FromMilliseconds(10), TimeSpan.FromSeconds(1));
        double before = CpuTime.OfThisProcess();
        Task work = way switch
        {
            Service => Many(count, atOnce, () => _client.LocateAsync("a.dll", 17, CancellationToken.None)),
            Stream => ReadAsync(count),
            Events or MeteredEvents => SendAsync(count),
            _ => Many(count, atOnce, () => _worker.RequestAsync(new Locate("a.dll", 17))),
        };
        work.GetAwaiter().GetResult();
        return ((CpuTime.OfThisProcess() - before) / count).ToString("f4", CultureInfo.InvariantCulture);
    }

    public void Dispose()
    {
        _worker.CloseAsync().GetAwaiter().GetResult();
        _listener.DisposeAsync().AsTask().GetAwaiter().GetResult();
    }

    private static Task Many(int count, int atOnce, Func<Task<Located>> ask) => Task.WhenAll(Enumerable.Range(0, atOnce).Select(async i =>
    {
        for (int n = i; n < count; n += atOnce)
        {
            if ((await ask().ConfigureAwait(false)).Bytes != 1_234_567)
            {
                throw new LoadException("An answer was changed.");
            }
        }
    }));

    private static ActivityListener Record()
    {
        var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == "Transport",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
        };
        ActivitySource.AddActivityListener(listener);
        return listener;
    }

    private static MeterListener Read()
    {
        var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, own) =>
            {
                if (instrument.Meter.Name == "Transport")
                {
                    own.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>(static (_, _, _, _) => { });
        listener.SetMeasurementEventCallback<double>(static (_, _, _, _) => { });
        listener.SetMeasurementEventCallback<int>(static (_, _, _, _) => { });
        listener.Start();
        return listener;
    }

    private async Task ReadAsync(int count)
    {
        int read = 0;
        await foreach (Located item in _worker.RequestStreamAsync(new LocateAll(count)).ConfigureAwait(false))
        {
            read += item.Bytes == 1_234_567 ? 1 : 0;
        }

        if (read != count)
        {
            throw new LoadException($"{read} of {count} items arrived unchanged.");
        }
    }

    private async Task SendAsync(int count)
    {
        long until = Interlocked.Read(ref _handled) + count;
        for (int i = 0; i < count; i++)
        {
            if (await _worker.SendAsync(LoadEventFormatter.Type, _event).ConfigureAwait(false) != SendResult.Queued)
            {
                throw new LoadException("The link did not take an event.");
            }
        }

        while (Interlocked.Read(ref _handled) < until)
        {
            await Task.Delay(1).ConfigureAwait(false);
        }
    }
}
