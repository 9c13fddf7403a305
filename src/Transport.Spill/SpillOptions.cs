using System;
using System.Collections.Generic;
using Transport.Journal;

namespace Transport.Spill;

/// <summary>Every limit and wish of a <see cref="SpillingSender"/>. Checked together and copied when it is opened; changing it later changes nothing. All limits are finite.</summary>
public sealed class SpillOptions
{
    /// <summary>Gets or sets the options of each link. Its lanes with <see cref="LanePolicy.Spill"/> are those that spill.</summary>
    /// <value>The default spills the normal lane. What such a lane holds in memory, until it is acknowledged, stays within <see cref="LinkOptions.MaxQueuedBytes"/>.</value>
    public LinkOptions Link { get; set; } = new() { NormalPolicy = LanePolicy.Spill };

    /// <summary>Gets or sets the options of each lane's journal: how much may be spilled (<see cref="JournalOptions.MaxBytes"/>), when it is synced. On top of the links' budget it holds <see cref="JournalOptions.MaxQueuedBytes"/> in memory.</summary>
    /// <value>The default is that of journals (synced, at most 8 GiB) with segments of 16 MiB. <see cref="JournalOptions.WhenFull"/> must refuse, and <see cref="JournalOptions.Retention"/> be null: what is acknowledged is dropped, and nothing else.</value>
    public JournalOptions Journal { get; set; } = new() { SegmentBytes = 16 << 20 };

    /// <summary>Gets or sets who takes what the main node sends, on every link.</summary>
    /// <value>The default is null: nobody.</value>
    public PacketRouter? Router { get; set; }

    /// <summary>Gets or sets the largest packet body that is taken, in bytes. A main node that takes less than this and 64 bytes more is not connected to.</summary>
    /// <value>1 to 1 GiB - 64 KiB; the default is 16 MiB - 64, which a main node with the default options takes.</value>
    public int MaxPacketBytes { get; set; } = (16 << 20) - SpillPacket.Overhead;

    /// <summary>Gets or sets how long to wait after the first attempt that came to nothing; twice as long after each further one.</summary>
    /// <value>1 ms to 1 h; the default is 50 ms.</value>
    public TimeSpan BackoffLeast { get; set; } = TimeSpan.FromMilliseconds(50);

    /// <summary>Gets or sets how long to wait at most between two attempts.</summary>
    /// <value><see cref="BackoffLeast"/> to 24 h; the default is 5 s.</value>
    public TimeSpan BackoffMost { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Gets or sets what is called when something happens; on the thread pool, one call at a time, in order. It must not wait for the sender's end, which waits for it. What it throws goes to the event source only.</summary>
    /// <value>The default is null: nobody is told, but for listeners of the event source "Transport-Spill".</value>
    public Action<SpillReport>? Reported { get; set; }

    /// <summary>Gets or sets where the directory is made. Tests put a simulated disk here.</summary>
    internal IFolders Folders { get; set; } = new SystemFolders();

    internal SpillOptions CheckedCopy()
    {
        var wrong = new List<string>();
        if (Link is null || Journal is null)
        {
            wrong.Add($"{nameof(Link)} and {nameof(Journal)} must not be null");
        }
        else
        {
            Check(wrong, Link.NormalPolicy == LanePolicy.Spill || Link.BulkPolicy == LanePolicy.Spill, $"no lane of {nameof(Link)} has the policy {nameof(LanePolicy.Spill)}");
            Check(wrong, Journal.WhenFull == JournalWhenFull.Refuse && Journal.Retention is null, $"{nameof(Journal)} must refuse when it is full and have no retention: what is not acknowledged must stay");
        }

        Check(wrong, MaxPacketBytes is >= 1 and <= (1 << 30) - (64 << 10), $"{nameof(MaxPacketBytes)} = {MaxPacketBytes}, allowed 1 to 1 GiB - 64 KiB");
        Check(wrong, BackoffLeast.TotalMilliseconds is >= 1 and <= 3_600_000, $"{nameof(BackoffLeast)} = {BackoffLeast}, allowed 1 ms to 1 h");
        Check(wrong, BackoffMost >= BackoffLeast && BackoffMost.TotalHours <= 24, $"{nameof(BackoffMost)} = {BackoffMost}, allowed {nameof(BackoffLeast)} to 24 h");
        if (wrong.Count > 0)
        {
            throw new JournalException(JournalFault.BadOptions, "Spill options: " + string.Join("; ", wrong) + ".");
        }

        return (SpillOptions)MemberwiseClone();
    }

    private static void Check(List<string> wrong, bool sound, string sentence)
    {
        if (!sound)
        {
            wrong.Add(sentence);
        }
    }
}
