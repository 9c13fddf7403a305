using System;
using System.Collections.Generic;
using System.Diagnostics;

namespace Transport;

/// <summary>What is measured and traced of one request, at the asking side.</summary>
internal sealed class RequestTrace
{
    private readonly string _name;
    private readonly long _begun = Stopwatch.GetTimestamp();
    private readonly Activity? _span;

    private RequestTrace(PacketType request, Lane lane)
    {
        _name = request.Name;
        _span = TransportTracing.Begin(_name, ActivityKind.Client, parent: default, (int)lane);
    }

    /// <summary>Begins if anybody listens.</summary>
    /// <returns>The trace; null: nobody does.</returns>
    public static RequestTrace? Begin(PacketType request, Lane lane) =>
        TransportTracing.Source.HasListeners() || TransportMeter.RequestDuration.Enabled ? new RequestTrace(request, lane) : null;

    /// <summary>Ends the span and notes the time.</summary>
    public void End(Exception? failure)
    {
        TransportTracing.End(_span, failure);
        var name = new KeyValuePair<string, object?>("rpc.method", _name);
        double time = TransportMeter.SecondsOf(Stopwatch.GetTimestamp() - _begun);
        if (failure is null)
        {
            Listeners.Record(TransportMeter.RequestDuration, time, name);
        }
        else
        {
            Listeners.Record(
                TransportMeter.RequestDuration, time, name,
                new KeyValuePair<string, object?>("error.type", TransportTracing.ErrorType(failure)));
        }
    }
}
