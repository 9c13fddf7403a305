using System.Threading.Tasks;

namespace Transport.Nodes;

/// <summary>A started process. The seam between Unix (our own spawn and wait) and Windows (System.Diagnostics.Process).</summary>
internal interface IChild
{
    int ProcessId { get; }

    /// <summary>Gets the end, after both output streams have drained. Completes once, never faults.</summary>
    Task<ProcessEnd> Ended { get; }

    /// <summary>Kills at once (SIGKILL), or asks to end (SIGTERM; on Windows there is no such thing). False where the process has ended already.</summary>
    bool Kill(bool atOnce);
}
