using System;

namespace Transport.Journal;

/// <summary>Reports of a lane when packets begin to go to its journal, and when they go directly again. Under the lane's gate.</summary>
internal sealed class SpillEpisode(Lane lane, string directory, SpillReports reports, TimeProvider clock)
{
    private string? _why = "there is no main node yet";   // reported with the next packet that is spilled; null: reported, or not to be
    private bool _isReported;
    private long _slowAt;

    /// <summary>The link has ended.</summary>
    public void LinkEnded() => _why = "the link has ended";

    /// <summary>The link, or the memory, has no capacity. A main node that is slower by a little makes it go to and fro: reported at most
    /// once a second.</summary>
    public void PeerSlow()
    {
        long now = clock.GetTimestamp();
        if (_slowAt == 0 || clock.GetElapsedTime(_slowAt, now).TotalSeconds >= 1)
        {
            _slowAt = now;
            _why = "the main node is slower than what is sent";
        }
    }

    /// <summary>A packet has gone to the journal.</summary>
    public void Spilled()
    {
        if (_why is { } why && !_isReported)
        {
            _isReported = true;
            reports.Report(
                SpillEvent.SpillingBegan, $"Lane {lane}: {why}, so packets go to the journal in {directory} until it has caught up.");
        }

        _why = null;
    }

    /// <summary>Packets go to the link directly.</summary>
    /// <param name="spilled">The packets that were spilled so far.</param>
    public void Direct(long spilled)
    {
        _why = null;
        if (_isReported)
        {
            _isReported = false;
            reports.Report(SpillEvent.SpillingEnded, $"Lane {lane}: everything that was spilled has been sent; {spilled} packets so far.");
        }
    }
}
