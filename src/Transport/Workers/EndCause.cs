namespace Transport;

/// <summary>Which of a worker's ends came first, in words.</summary>
internal static class EndCause
{
    /// <param name="process">The process's end.</param>
    /// <param name="link">The link's end, or null if there never was one.</param>
    /// <param name="refused">What the worker's connection was refused with, if it never got a link: a code of Reject, or a fault's
    /// name.</param>
    /// <param name="tooLate">It was killed because it had not connected in time.</param>
    /// <param name="killedAfterLink">It was killed by this side when its link had ended already: then the signal is no cause.</param>
    public static string Of(ProcessExit process, LinkEnd? link, string? refused, bool tooLate, bool killedAfterLink)
    {
        if (link is null)
        {
            if (!tooLate && refused is nameof(TransportFault.PeerGone) or nameof(TransportFault.Aborted))
            {
                // Its connection broke off, or was given up, because the process ended.
                return process.IsSuccess ? $"{nameof(TransportFault.PeerGone)}; {process}" : process.ToString();
            }

            string? first = tooLate ? nameof(TransportFault.HandshakeTimeout)
                : refused is null ? null
                : char.IsUpper(refused[0]) ? refused : "rejected " + refused;
            return first is null ? process.ToString() : Both(first, process);
        }

        if (link.IsClean)
        {
            return process.IsSuccess ? "clean" : process.ToString();
        }

        if (link.Fault == TransportFault.PeerGone && !killedAfterLink)
        {
            // The stream broke because the process ended. With exit 0 both are said: it ended by itself, and without Goodbye.
            return process.IsSuccess ? $"{link.Fault}; {process}" : process.ToString();
        }

        return Both(link.Fault.ToString(), process);
    }

    private static string Both(string first, ProcessExit process) => process.IsSuccess ? first : $"{first}; {process}";
}
