using System.Collections.Generic;
using System.Diagnostics.Metrics;
using System.Threading;

namespace Transport;

/// <summary>The instruments of workers, of the meter <c>Transport</c> (docs/reference/observability.md).</summary>
internal static class WorkerMeter
{
    private static readonly Count Running = new();
    private static readonly Meter Instruments = Make();
    private static readonly Counter<long> Exits = Instruments.CreateCounter<long>(
        "transport.worker.exits", "{exit}", "Workers that have exited, by cause.");

    public static void Started() => Running.Add(1);

    public static void Ended(WorkerExit exit)
    {
        Running.Add(-1);
        string cause = exit.Cause.Split(',', ';', ':')[0];   // what is behind that is for people, and of any number of kinds
        Exits.Add(1, new KeyValuePair<string, object?>("transport.exit.cause", cause));
    }

    private static Meter Make()
    {
        var meter = new Meter(TransportMeter.Name, typeof(WorkerMeter).Assembly.GetName().Version?.ToString(3));
        _ = meter.CreateObservableUpDownCounter("transport.workers", () => Running.Value, "{worker}", "Workers that run.");
        return meter;
    }

    private sealed class Count
    {
        private long _value;   // raised and lowered by any thread: a count by itself

        public long Value => Interlocked.Read(ref _value);

        public void Add(long by) => Interlocked.Add(ref _value, by);
    }
}
