using System.Collections.Generic;
using System.Diagnostics.Metrics;
using System.Threading;

namespace Transport;

/// <summary>The instruments of workers, of the meter <c>Transport</c> (docs/reference/observability.md).</summary>
internal static class WorkerMeter
{
    private static readonly Count Running = new();
    private static readonly Counter<long> Exits = Make();

    public static void Started() => Running.Add(1);

    public static void Ended(WorkerExit exit)
    {
        Running.Add(-1);
        string cause = exit.Cause.Split(',', ';', ':')[0];   // what is behind that is for people, and of any number of kinds
        Listeners.Count(Exits, new KeyValuePair<string, object?>("transport.exit.cause", cause));
    }

    private static Counter<long> Make()
    {
        _ = TransportMeter.Instruments.CreateObservableUpDownCounter(
            "transport.workers", () => Running.Value, "{worker}", "Workers that run.");
        return TransportMeter.Instruments.CreateCounter<long>(
            "transport.worker.exits", "{exit}", "Workers that have exited, by cause.");
    }

    private sealed class Count
    {
        private long _value;   // raised and lowered by any thread: a count by itself

        public long Value => Interlocked.Read(ref _value);

        public void Add(long by) => Interlocked.Add(ref _value, by);
    }
}
