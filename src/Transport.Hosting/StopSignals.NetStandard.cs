using System;
using System.Collections.Generic;

namespace Transport.Hosting;

/// <summary>Signals that stop a host: netstandard2.0 cannot see them.</summary>
internal static class StopSignals
{
    /// <summary>Reports nothing.</summary>
    public static IReadOnlyList<IDisposable> Watch(Action<string, int> came)
    {
        _ = came;
        return [];
    }
}
