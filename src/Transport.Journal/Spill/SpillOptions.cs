using System;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>The options of a <see cref="SpillingSender"/>. Checked together and copied when it is opened; changing it later
/// changes nothing. All limits are finite.</summary>
public sealed class SpillOptions
{
    /// <summary>Gets or sets the lanes that spill. Packets of other lanes go to the link there is, by its policies.</summary>
    /// <value>Normal, Bulk or both, each once; the default is Normal.</value>
    public IReadOnlyList<Lane> Lanes { get; set; } = [Lane.Normal];

    /// <summary>Gets or sets the most bytes of memory that packets of one lane take until they are acknowledged. A packet beyond that goes
    /// to the journal. It comes on top of <see cref="LinkOptions.MaxQueuedBytes"/>, the bytes that wait to be written, and of
    /// <see cref="JournalOptions.MaxQueuedBytes"/>.</summary>
    /// <value>64 KiB to 1 GiB; the default is 8 MiB. One packet is taken whatever its size if there is no other. A busy main node
    /// acknowledges once in 4,096 packets or 1 MiB: with less than 2 MiB here, packets may go to the journal although it keeps up.</value>
    public long MaxMemoryBytes { get; set; } = 8 << 20;

    /// <summary>Gets or sets the options of each link. All of them share a pool, out of which packets' memory comes too.</summary>
    /// <value>The default is that of links. Its policies are not those of lanes that spill.</value>
    public LinkOptions Link { get; set; } = new();

    /// <summary>Gets or sets the options of each lane's journal: how much may be spilled (<see cref="JournalOptions.MaxBytes"/>), when it
    /// is synced. It holds <see cref="JournalOptions.MaxQueuedBytes"/> in memory.</summary>
    /// <value>The default is that of journals (synced, at most 8 GiB) with segments of 16 MiB. Its
    /// <see cref="JournalOptions.DropOldestWhenFull"/> must be off and <see cref="JournalOptions.Retention"/> null: what is acknowledged is
    /// dropped, and nothing else.</value>
    public JournalOptions Journal { get; set; } = new() { SegmentBytes = 16 << 20 };

    /// <summary>Gets or sets the handlers of the main node's packets, on every link.</summary>
    /// <value>The default is null: nobody.</value>
    public PacketRouter? Router { get; set; }

    /// <summary>Gets or sets the largest packet body that is taken, in bytes. A main node that takes less than this and 64 bytes more is
    /// not connected to.</summary>
    /// <value>1 to 1 GiB - 64 KiB; the default is 16 MiB - 64, which a main node with the default options takes.</value>
    public int MaxPacketBytes { get; set; } = (16 << 20) - SpillPacket.Overhead;

    /// <summary>Gets or sets how long to wait after the first attempt that came to nothing; twice as long after each further one.</summary>
    /// <value>1 ms to 1 h; the default is 50 ms.</value>
    public TimeSpan MinBackoff { get; set; } = TimeSpan.FromMilliseconds(50);

    /// <summary>Gets or sets how long to wait at most between two attempts.</summary>
    /// <value><see cref="MinBackoff"/> to 24 h; the default is 5 s.</value>
    public TimeSpan MaxBackoff { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Gets or sets the function that hears of each event; on the thread pool, one call at a time, in order. It must not wait for
    /// the sender's end, which waits for it. What it throws goes to the event source only.</summary>
    /// <value>The default is null: nobody is notified, but for listeners of the event source "Transport-Spill".</value>
    public Action<SpillReport>? OnReport { get; set; }

    /// <summary>Gets or sets where the directory is made. Tests put a simulated disk here.</summary>
    internal IFolders Folders { get; set; } = new SystemFolders();

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change.</returns>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal SpillOptions CheckedCopy()
    {
        var check = new OptionsCheck();
        check.Require(Link is not null, nameof(Link), null, "link options");
        Link?.Check(check.Within(nameof(Link)), isListener: false);
        bool keeps = Journal is { DropOldestWhenFull: false, Retention: null };
        string journal = "one that refuses when it is full, without retention: what is not acknowledged must stay";
        check.Require(keeps, nameof(Journal), Journal is null ? null : "another journal", journal);
        check.Require(AreLanes(Lanes), nameof(Lanes), Show(Lanes), "Normal, Bulk or both");
        check.Bytes(nameof(MaxMemoryBytes), MaxMemoryBytes, 64 << 10, 1 << 30);
        check.Bytes(nameof(MaxPacketBytes), MaxPacketBytes, 1, (1 << 30) - (64 << 10));
        check.Between(nameof(MinBackoff), MinBackoff, TimeSpan.FromMilliseconds(1), TimeSpan.FromHours(1));
        bool isMost = MaxBackoff >= MinBackoff && MaxBackoff.TotalHours <= 24;
        check.Require(isMost, nameof(MaxBackoff), MaxBackoff, $"{nameof(MinBackoff)} to 24 h");
        check.ThrowIfWrong("options");
        var copy = (SpillOptions)MemberwiseClone();
        copy.Lanes = [.. Lanes!];
        copy.Link = Link!.CopyWithPool();
        copy.Journal = Journal!.CheckedCopy();
        copy.Journal.OpensOnFullDisk = true;
        return copy;
    }

    private static bool AreLanes(IReadOnlyList<Lane>? lanes) => lanes is { Count: 1 or 2 }
        && lanes[0] is Lane.Normal or Lane.Bulk
        && (lanes.Count == 1 || (lanes[1] is Lane.Normal or Lane.Bulk && lanes[1] != lanes[0]));

    private static string Show(IReadOnlyList<Lane>? lanes) => lanes is null ? "null" : lanes.Count == 0 ? "none" : string.Join(", ", lanes);

}
