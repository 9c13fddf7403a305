using System;
using System.Collections.Generic;

namespace Transport.Hosting;

/// <summary>The main node of a host: starts workers, with the host's packet handlers and logging. Safe from any thread.</summary>
public interface IMainNode
{
    /// <summary>Gets the workers that have not exited, in the order of their start; empty before the host has started.</summary>
    IReadOnlyList<WorkerProcess> Workers { get; }

    /// <summary>Starts a worker. Its log events, its output lines and its exit go to the host's logging.</summary>
    /// <param name="start">The program. A Ctrl+C at the terminal does not reach it (<see cref="ProcessStartOptions.OwnProcessGroup"/> is
    /// set): the host stops its workers itself.</param>
    /// <param name="node">Its name, 1 to 64 characters of A-Z a-z 0-9 . _ -; null: n1, n2, …</param>
    /// <param name="configure">Adds handlers to those of the host, or null.</param>
    /// <returns>The worker; its link comes later.</returns>
    /// <exception cref="InvalidOperationException">The host has not started, or has stopped.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.StartFailed"/>: the program could not be started, the message says
    /// why.</exception>
    /// <exception cref="ArgumentException"><paramref name="start"/> or <paramref name="node"/> cannot be used.</exception>
    WorkerProcess StartWorker(ProcessStartOptions start, string? node = null, Action<PacketRouter>? configure = null);
}
