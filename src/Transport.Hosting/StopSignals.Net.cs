using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;

namespace Transport.Hosting;

/// <summary>Signals that stop a host.</summary>
internal static class StopSignals
{
    private static readonly (PosixSignal Signal, int Number)[] All =
        [(PosixSignal.SIGINT, 2), (PosixSignal.SIGQUIT, 3), (PosixSignal.SIGTERM, 15)];

    /// <summary>Reports signals, and leaves what they do to others.</summary>
    /// <param name="came">Takes a signal's name, and the exit code that a shell gives a process that it has ended.</param>
    /// <returns>What ends it, once disposed of.</returns>
    public static IReadOnlyList<IDisposable> Watch(Action<string, int> came) =>
        [.. All.Select(one => PosixSignalRegistration.Create(one.Signal, _ => came(one.Signal.ToString(), 128 + one.Number)))];
}
