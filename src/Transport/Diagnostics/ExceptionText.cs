using System;

namespace Transport;

/// <summary>Describes exceptions of callers' code. Their members are callers' code too: what those throw ends nothing here.</summary>
internal static class ExceptionText
{
    /// <summary>Returns the message of an exception, or a note if it cannot be read.</summary>
    public static string MessageOf(Exception exception)
    {
        try
        {
            return exception.Message ?? string.Empty;
        }
        catch (Exception unreadable)
        {
            return $"(no message: reading it threw {unreadable.GetType().Name})";
        }
    }

    /// <summary>Returns type and message of an exception: <c>IOException: disk full</c>.</summary>
    public static string Brief(Exception exception) => $"{exception.GetType().Name}: {MessageOf(exception)}";

    /// <summary>Returns full type name and message of an exception: <c>System.IO.IOException: disk full</c>.</summary>
    public static string Full(Exception exception) => $"{exception.GetType().FullName}: {MessageOf(exception)}";
}
