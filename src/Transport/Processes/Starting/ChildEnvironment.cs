using System;
using System.Collections;
using System.Collections.Generic;

namespace Transport;

/// <summary>The whole environment of a child: this process's own with the changes of its <see cref="ProcessStartOptions"/>.</summary>
internal static class ChildEnvironment
{
    public static Dictionary<string, string> Of(ProcessStartOptions start)
    {
        var whole = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (DictionaryEntry entry in Environment.GetEnvironmentVariables())
        {
            whole[(string)entry.Key] = (string?)entry.Value ?? string.Empty;
        }

        foreach (KeyValuePair<string, string?> change in start.Environment)
        {
            if (change.Value is null)
            {
                whole.Remove(change.Key);
            }
            else
            {
                whole[change.Key] = change.Value;
            }
        }

        return whole;
    }
}
