using System;
using System.Threading.Tasks;

namespace Transport;

/// <summary>How a host stops whose link has ended, or whose main node is gone.</summary>
/// <param name="Timeout">How long it may take; then the process is ended.</param>
/// <param name="Stopped">Completes when it has stopped.</param>
internal sealed record HostStop(TimeSpan Timeout, Task Stopped);
