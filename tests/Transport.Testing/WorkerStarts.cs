using System;

namespace Transport.Testing;

/// <summary>What to start, in one expression.</summary>
public static class WorkerStarts
{
    /// <summary>Sets what is not null.</summary>
    public static WorkerStartOptions With(
        this WorkerStartOptions start, PacketRouter? router = null, Action<OutputLine>? output = null, string? node = null)
    {
        start.Router = router ?? start.Router;
        start.Output = output ?? start.Output;
        start.Node = node ?? start.Node;
        return start;
    }
}
