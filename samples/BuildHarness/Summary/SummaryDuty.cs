using System.Threading;

namespace BuildHarness.Summary;

/// <summary>The summary is written once, by the command at its end or by the code that ends the process before that. Safe from
/// any thread.</summary>
/// <param name="path">Where, or null for nowhere.</param>
internal sealed class SummaryDuty(string? path)
{
    private int _begun;

    /// <summary>Writes it, unless that was begun before.</summary>
    /// <exception cref="HarnessException">It cannot be written.</exception>
    public void Write(RunSummary summary)
    {
        if (path is not null && Interlocked.Exchange(ref _begun, 1) == 0)
        {
            SummaryFile.Write(path, summary);
        }
    }

    /// <summary>Writes one if nobody has; never throws.</summary>
    public void TryWrite(RunSummary summary)
    {
        try
        {
            Write(summary);
        }
        catch (HarnessException)
        {
            // Something worse is being reported.
        }
    }
}
