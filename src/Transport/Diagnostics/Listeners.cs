using System;
using System.Collections.Generic;
using System.Diagnostics.Metrics;

namespace Transport;

/// <summary>Measures, and so calls listeners of meters: code of the program's own. What one throws is written to the event source, and goes
/// no further. Never call it under a lock, nor before a completion that others wait for.</summary>
internal static class Listeners
{
    /// <summary>Records a value.</summary>
    public static void Record(Histogram<double> instrument, double value)
    {
        try
        {
            instrument.Record(value);
        }
        catch (Exception thrown)
        {
            Threw(thrown);
        }
    }

    /// <summary>Records a value with a tag.</summary>
    public static void Record(Histogram<double> instrument, double value, KeyValuePair<string, object?> tag)
    {
        try
        {
            instrument.Record(value, tag);
        }
        catch (Exception thrown)
        {
            Threw(thrown);
        }
    }

    /// <summary>Records a value with two tags.</summary>
    public static void Record(
        Histogram<double> instrument, double value, KeyValuePair<string, object?> tag, KeyValuePair<string, object?> other)
    {
        try
        {
            instrument.Record(value, tag, other);
        }
        catch (Exception thrown)
        {
            Threw(thrown);
        }
    }

    /// <summary>Counts one.</summary>
    public static void Count(Counter<long> instrument)
    {
        try
        {
            instrument.Add(1);
        }
        catch (Exception thrown)
        {
            Threw(thrown);
        }
    }

    /// <summary>Counts one with a tag.</summary>
    public static void Count(Counter<long> instrument, KeyValuePair<string, object?> tag)
    {
        try
        {
            instrument.Add(1, tag);
        }
        catch (Exception thrown)
        {
            Threw(thrown);
        }
    }

    /// <summary>Writes down what a listener has thrown.</summary>
    public static void Threw(Exception thrown) =>
        TransportEventSource.Log.HandlerFailed(string.Empty, string.Empty, "a listener of meters or traces", ExceptionText.MessageOf(thrown));
}
