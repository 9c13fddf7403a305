using System;
using System.Threading;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>How the receiver behaves while single sends are timed.</summary>
internal enum ReceiverPace
{
    /// <summary>Takes whatever comes.</summary>
    Fast,

    /// <summary>Waits 1 ms after every 100 events.</summary>
    Slow,

    /// <summary>Takes nothing until the sender has done its round.</summary>
    Stopped,
}

/// <summary>One column of the caller's cost: a worker that times its sends, and a receiver that is fast, slow or stopped, or
/// none.</summary>
internal sealed class CallerCourse : IDisposable
{
    private const int SlowGroup = 100;

    private readonly RunOptions _options;
    private readonly EventSink? _sink;
    private readonly IEventReceiver? _receiver;
    private readonly LoadWorker _worker;
    private readonly ManualResetEventSlim _open = new(initialState: true);
    private readonly ManualResetEventSlim _never = new();
    private ReceiverPace _pace;

    /// <summary>Initializes a new instance of the <see cref="CallerCourse"/> class.</summary>
    /// <param name="options">The options.</param>
    /// <param name="catalog">The events.</param>
    /// <param name="sender">A column, or one of those that send to nobody.</param>
    public CallerCourse(RunOptions options, EventCatalog catalog, string sender)
    {
        _options = options;
        if (Array.IndexOf(Column.All, sender) >= 0)
        {
            _sink = new EventSink(catalog) { Each = HoldUp };
            _receiver = Column.Receive(sender, _sink);
        }

        _worker = new LoadWorker(_receiver?.Secret ?? string.Empty, "caller", sender, _receiver?.Address ?? "-");
    }

    /// <summary>Times one round of sends.</summary>
    public Distribution Run(CallerRhythm rhythm, ReceiverPace pace)
    {
        _pace = pace;
        if (pace == ReceiverPace.Stopped)
        {
            _open.Reset();
        }

        _sink?.Expect(rhythm.Calls);
        _worker.Go(rhythm.Calls, rhythm.Group, rhythm.PauseTicks);
        var calls = Distribution.Parse(_worker.Done());
        _open.Set();
        _sink?.WaitForAll(_options.Limit);
        return calls;
    }

    public void Dispose()
    {
        _open.Set();
        _worker.Dispose();
        _receiver?.Dispose();
        _sink?.Dispose();
        _open.Dispose();
        _never.Dispose();
    }

    private void HoldUp()
    {
        if (_pace == ReceiverPace.Stopped)
        {
            _open.Wait();
        }
        else if (_pace == ReceiverPace.Slow && _sink!.Count % SlowGroup == 0)
        {
            _never.Wait(1);
        }
    }
}
