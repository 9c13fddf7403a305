using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Linq;
using System.Threading;

namespace Transport;

/// <summary>The meter <c>Transport</c>: what docs/reference/observability.md lists, by OpenTelemetry's rules for names and units.</summary>
/// <remarks>What counters have anyhow is read when somebody collects: a link that nobody measures pays nothing for it. Times are measured
/// if their instrument is enabled.</remarks>
internal static class TransportMeter
{
    private static readonly string[] Levels = ["Trace", "Debug", "Information", "Warning", "Error", "Critical", "None"];

    /// <summary>Gets the meter, to which each package adds its instruments.</summary>
    public static Meter Instruments { get; } = Make();

    /// <summary>Gets the lanes as tags have them, by number.</summary>
    public static IReadOnlyList<string> Lanes { get; } = ["Control", "Urgent", "Normal", "Bulk"];

    /// <summary>Gets the times of single writes to the wire.</summary>
    public static Histogram<double> WriteDuration { get; } = Seconds("transport.write.duration", "Time of one write to the wire.");

    /// <summary>Gets the times from a packet's write to its acknowledgment; of one packet of a link at a time.</summary>
    public static Histogram<double> AcknowledgeDuration { get; } = Seconds(
        "transport.acknowledge.duration",
        "Time from the write of a packet until the peer has acknowledged it; one packet of a link at a time.");

    /// <summary>Gets the times of requests, from the request to its response.</summary>
    public static Histogram<double> RequestDuration { get; } = Seconds(
        "transport.request.duration", "Time from a request to its response, at the asking side.");

    /// <summary>Has the instruments made, on a thread of the pool: a process's first packet does not wait until they are compiled, which
    /// takes some milliseconds.</summary>
    public static void Publish() => ThreadPool.UnsafeQueueUserWorkItem(static _ => _ = Instruments, null);

    /// <summary>Returns timestamps as seconds.</summary>
    public static double SecondsOf(long ticks) => (double)ticks / Stopwatch.Frequency;

    private static Histogram<double> Seconds(string name, string description) =>
        Instruments.CreateHistogram<double>(name, "s", description);

    private static Meter Make()
    {
        var meter = new Meter("Transport", typeof(TransportMeter).Assembly.GetName().Version?.ToString(3));
        _ = meter.CreateObservableCounter(
            "transport.packets.sent", () => ByLane(LiveLinks.Sums.PacketsSent), "{packet}", "Packets whose last frame was written.");
        _ = meter.CreateObservableCounter(
            "transport.bytes.sent", () => ByLane(LiveLinks.Sums.BytesSent), "By", "Bytes written to the wire, all frames.");
        _ = meter.CreateObservableCounter(
            "transport.packets.received", () => ByLane(LiveLinks.Sums.PacketsReceived), "{packet}", "Packets received whole and handled.");
        _ = meter.CreateObservableCounter(
            "transport.bytes.received", () => LiveLinks.All.Total()[LiveLinks.Sums.BytesReceived], "By",
            "Bytes read from the wire, all frames.");
        _ = meter.CreateObservableCounter(
            "transport.packets.refused", Refused, "{packet}", "Packets that were not taken: the queue was full, or the link closed.");
        _ = meter.CreateObservableCounter(
            "transport.packets.dropped", ByLevel, "{packet}", "Packets that were given up, by log level.");
        _ = meter.CreateObservableCounter(
            "transport.traceparents.malformed",
            () => LiveLinks.All.Total()[LiveLinks.Sums.MalformedTraceParents],
            "{request}",
            "Requests whose trace context is none.");
        _ = meter.CreateObservableUpDownCounter(
            "transport.queue.size", () => LiveLinks.All.QueuedBytes, "By", "Bytes that wait to be written.");
        _ = meter.CreateObservableUpDownCounter("transport.links", () => (long)LiveLinks.All.Count, "{link}", "Links that are open.");
        return meter;
    }

    private static IEnumerable<Measurement<long>> ByLane(int first)
    {
        long[] total = LiveLinks.All.Total();
        return Enumerable.Range(0, 4)
            .Where(lane => total[first + lane] > 0)
            .Select(lane => Tagged(total[first + lane], "transport.lane", Lanes[lane]));
    }

    private static IEnumerable<Measurement<long>> ByLevel()
    {
        long[] total = LiveLinks.All.Total();
        return Enumerable.Range(0, LiveLinks.Sums.Count - LiveLinks.Sums.Dropped)
            .Where(level => total[LiveLinks.Sums.Dropped + level] > 0)
            .Select(level => Tagged(total[LiveLinks.Sums.Dropped + level], "transport.level", Levels[level]));
    }

    private static IEnumerable<Measurement<long>> Refused()
    {
        long[] total = LiveLinks.All.Total();
        return
        [
            Tagged(total[LiveLinks.Sums.Refused], "transport.reason", "Full"),
            Tagged(total[LiveLinks.Sums.TooLate], "transport.reason", "Closed"),
        ];
    }

    private static Measurement<long> Tagged(long value, string key, string tag) => new(value, new KeyValuePair<string, object?>(key, tag));
}
