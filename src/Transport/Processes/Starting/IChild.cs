using System.Threading.Tasks;

namespace Transport;

/// <summary>A started process. The seam between Unix (our own spawn and wait) and Windows (System.Diagnostics.Process).</summary>
internal interface IChild
{
    int ProcessId { get; }

    /// <summary>Gets the full path of the program's file, as far as it is known.</summary>
    string Executable { get; }

    /// <summary>Gets a value indicating whether <see cref="Kill"/> has killed it at once while it had not ended.</summary>
    bool KilledHere { get; }

    /// <summary>Gets a value indicating whether <see cref="Kill"/> has asked it to end (SIGTERM) while it had not ended.</summary>
    bool TerminatedHere { get; }

    /// <summary>Gets a value indicating whether the process has ended, be its output drained or not: it changes nothing any more.</summary>
    bool HasExited { get; }

    /// <summary>Gets the end, after both output streams have drained. Completes once, never faults.</summary>
    Task<ProcessExit> Ended { get; }

    /// <summary>Kills at once (SIGKILL), or asks to end (SIGTERM; on Windows there is no such thing). False if the process has ended
    /// already.</summary>
    bool Kill(bool atOnce);

    /// <summary>Interrupts it (SIGINT). False if the process has ended already, or the system has no such thing.</summary>
    bool Interrupt();

    /// <summary>Looks how many processes the kernel has killed for lack of memory so far, so that those before this are not taken for this
    /// one. Nothing if the system does not report.</summary>
    /// <param name="moved">It may have been put into another control group since the start.</param>
    void LookAtMemory(bool moved);
}
