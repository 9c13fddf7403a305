using System;
using System.Diagnostics;

namespace Transport;

/// <summary>Traces across processes: the activity source <c>Transport</c>, and W3C trace contexts on the wire.</summary>
/// <remarks>If nobody listens to the source, a peer's context is carried by an activity that nobody records: what is sent
/// meanwhile has the peer's own span as its parent, so that a trace has no gap.</remarks>
internal static class TransportTracing
{
    private const string Carrier = "Transport.Carrier";

    /// <summary>Gets the source of the spans of requests, their handlers and workers.</summary>
    public static ActivitySource Source { get; } = new("Transport");

    /// <summary>Gets the context of what happens on this thread, as W3C <c>traceparent</c>; null if there is none.</summary>
    public static string? Current =>
        Activity.Current is { IdFormat: ActivityIdFormat.W3C } activity ? IsCarrier(activity) ? activity.ParentId : activity.Id : null;

    /// <summary>Gets the ids of the span in which this thread is; default if it is in none.</summary>
    public static (ActivityTraceId Trace, ActivitySpanId Span) CurrentIds =>
        Activity.Current is { IdFormat: ActivityIdFormat.W3C } activity
            ? (activity.TraceId, IsCarrier(activity) ? activity.ParentSpanId : activity.SpanId) : default;

    /// <summary>Reads a <c>traceparent</c>.</summary>
    /// <returns>False if it is none: 00-32 hex digits-16 hex digits-2 hex digits.</returns>
    public static bool TryParse(string? traceParent, out ActivityContext context) =>
        ActivityContext.TryParse(traceParent, traceState: null, isRemote: true, out context);

    /// <summary>Begins what a peer's context is the parent of. It is <see cref="Activity.Current"/> until it is stopped.</summary>
    /// <param name="name">The span's name.</param>
    /// <param name="kind">Its kind.</param>
    /// <param name="parent">The peer's context; default: none.</param>
    /// <param name="lane">The number of a request's lane; null: it is none.</param>
    /// <returns>The span, or what carries the context if nobody listens; null if there is neither.</returns>
    public static Activity? Begin(string name, ActivityKind kind, ActivityContext parent, int? lane = null)
    {
        if (TryStart(name, kind, parent) is { } span)
        {
            return lane is not { } number ? span
                : span.SetTag("rpc.system.name", "transport").SetTag("rpc.method", name)
                    .SetTag("transport.lane", TransportMeter.Lanes[number]);
        }

        return parent == default ? null
            : new Activity(Carrier).SetParentId(parent.TraceId, parent.SpanId, parent.TraceFlags).Start();
    }

    /// <summary>Ends a span; one that failed says how.</summary>
    public static void End(Activity? span, Exception? failure)
    {
        if (span is null)
        {
            return;
        }

        try
        {
            EndNow(span, failure);
        }
        catch (Exception thrown)
        {
            Listeners.Threw(thrown);
        }
    }

    /// <summary>Returns an exception's kind as a tag has it: a fault's name, or its type.</summary>
    public static string ErrorType(Exception failure) =>
        failure is TransportException { Fault: var fault } ? fault.ToString() : failure.GetType().FullName ?? failure.GetType().Name;

    /// <summary>Starts a span, if somebody listens who does not throw.</summary>
    private static Activity? TryStart(string name, ActivityKind kind, ActivityContext parent)
    {
        try
        {
            return Source.StartActivity(name, kind, parent);
        }
        catch (Exception thrown)
        {
            Listeners.Threw(thrown);
            return null;
        }
    }

    private static void EndNow(Activity span, Exception? failure)
    {
        if (failure is not null && span.IsAllDataRequested)
        {
            _ = span.SetTag("error.type", ErrorType(failure)).SetStatus(ActivityStatusCode.Error, ExceptionText.MessageOf(failure));
        }

        span.Dispose();
    }

    private static bool IsCarrier(Activity activity) => ReferenceEquals(activity.OperationName, Carrier);
}
