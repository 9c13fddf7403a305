using System;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>
/// The options of a journal. Checked together and copied by <see cref="PacketJournal.Open"/>; changing it later changes nothing.
/// All limits are finite.
/// </summary>
public sealed class JournalOptions
{
    private const long KiB = 1L << 10;
    private const long MiB = 1L << 20;
    private const long GiB = 1L << 30;

    /// <summary>Gets or sets when an append is acknowledged.</summary>
    /// <value>The default is <see cref="JournalSync.GroupCommit"/>.</value>
    public JournalSync Sync { get; set; } = JournalSync.GroupCommit;

    /// <summary>Gets or sets the bytes of a segment's file. A packet that is longer gets a segment of its own length.</summary>
    /// <value>64 KiB to 1 GiB, taken down to a multiple of 4 KiB; the default is 64 MiB.</value>
    public long SegmentBytes { get; set; } = 64 * MiB;

    /// <summary>Gets or sets the longest body of a packet, in bytes.</summary>
    /// <value>1 to 1 GiB - 64 KiB; the default is 16 MiB.</value>
    public int MaxPacketBytes { get; set; } = (int)(16 * MiB);

    /// <summary>Gets or sets the bytes that all segments together may take, spare ones included.</summary>
    /// <value>From two segments to 1 PiB; the default is 8 GiB.</value>
    public long MaxBytes { get; set; } = 8 * GiB;

    /// <summary>
    /// Gets or sets a value indicating whether the oldest segment is dropped when <see cref="MaxBytes"/> is reached. Otherwise appends
    /// fail with <see cref="JournalFault.JournalFull"/> (<see cref="SendResult.Full"/> without waiting) until the journal is compacted.
    /// </summary>
    /// <value>The default is false.</value>
    public bool DropOldestWhenFull { get; set; }

    /// <summary>Gets or sets how much is kept; looked at whenever a segment is full.</summary>
    /// <value>The default is null: everything, up to <see cref="MaxBytes"/>.</value>
    public JournalRetention? Retention { get; set; }

    /// <summary>
    /// Gets or sets the bytes that may wait to be written before appends wait or answer Full. An empty queue takes any packet.
    /// </summary>
    /// <value>64 KiB to 1 GiB; the default is 8 MiB.</value>
    public long MaxQueuedBytes { get; set; } = 8 * MiB;

    /// <summary>
    /// Gets or sets the bytes written by one system call, at which a batch is full. A longer packet is a batch of its own.
    /// </summary>
    /// <value>16 KiB to 4 MiB; the default is 256 KiB.</value>
    public int BatchBytes { get; set; } = (int)(256 * KiB);

    /// <summary>Gets or sets how bytes get to the disk.</summary>
    /// <value>The default is <see cref="JournalBackEnd.Automatic"/>.</value>
    public JournalBackEnd BackEnd { get; set; } = JournalBackEnd.Automatic;

    /// <summary>
    /// Gets or sets, for <see cref="JournalBackEnd.Uring"/>, how many commits may be in flight; each has a buffer of
    /// <see cref="BatchBytes"/> and 8 KiB.
    /// </summary>
    /// <value>1 to 64; the default is 4.</value>
    public int CommitsInFlight { get; set; } = 4;

    /// <summary>
    /// Gets or sets a value indicating whether opening sets a damaged journal aside, one of which something that was known to be synced
    /// cannot be read: all files move into a subdirectory <c>damaged-N</c>, which can be read and verified like any journal up to the
    /// damage, and the journal begins anew after the last position that can be found, with an id of its own. Otherwise opening fails with
    /// <see cref="JournalFault.Damaged"/> and changes nothing. A torn tail is no damage: it is always cut off.
    /// </summary>
    /// <value>The default is false.</value>
    public bool SetDamagedAside { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether a journal is made if there is none. The directory is made with mode 0700, its files
    /// with 0600; its parent must be there.
    /// </summary>
    /// <value>The default is true.</value>
    public bool Create { get; set; } = true;

    /// <summary>
    /// Gets or sets a value indicating whether the journal is also opened in a directory that belongs to another user, that others may
    /// write to, or that has such files: for a disk whose owners are not those of this machine. On Windows nothing is checked.
    /// </summary>
    /// <value>The default is false: <see cref="JournalFault.NotPrivate"/>.</value>
    public bool AllowSharedFolder { get; set; }

    /// <summary>Gets or sets the clock for the times of packets that bring none, and for ages.</summary>
    /// <value>The default is <see cref="TimeProvider.System"/>.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Gets or sets the disk; null: the system's. Tests put a simulated one here.</summary>
    internal IJournalStore? Store { get; set; }

    /// <summary>Gets or sets the function that gives a reader its own view of that disk.</summary>
    internal Func<IJournalStore>? StoreForReaders { get; set; }

    /// <summary>
    /// Gets or sets what writes blocks, several at once; null: files are written and synced. Of the copy that a journal keeps; tests put
    /// a simulated one here.
    /// </summary>
    internal IBlockWriter? Blocks { get; set; }

    /// <summary>Gets or sets a value indicating whether a journal that is to be made is also opened if the disk has no space for its first
    /// segment: it is begun with the first append that finds some. A sender that cannot spill must still send.</summary>
    internal bool OpensOnFullDisk { get; set; }

    /// <summary>Gets or sets the pause after which a Mark is written; 0: none is.</summary>
    internal int IdleMarkMilliseconds { get; set; } = 20;

    /// <summary>Gets or sets the second of <see cref="JournalSync.EverySecond"/>.</summary>
    internal int SyncMilliseconds { get; set; } = 1000;

    /// <summary>Gets or sets the function that makes the buffers for packets that wait to be written. Tests let it fail.</summary>
    internal Func<int, byte[]> Allocate { get; set; } = static bytes => new byte[bytes];

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change.</returns>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal JournalOptions CheckedCopy()
    {
        var check = new OptionsCheck();
        check.Require(
            Sync is >= JournalSync.GroupCommit and <= JournalSync.None, nameof(Sync), Sync, "GroupCommit, Always, EverySecond, None");
        check.Bytes(nameof(SegmentBytes), SegmentBytes, 64 * KiB, GiB);
        check.Bytes(nameof(MaxPacketBytes), MaxPacketBytes, 1, GiB - (64 * KiB));
        check.Bytes(nameof(MaxBytes), MaxBytes, 2 * SegmentBytes, KiB * KiB * GiB);
        check.Bytes(nameof(MaxQueuedBytes), MaxQueuedBytes, 64 * KiB, GiB);
        check.Bytes(nameof(BatchBytes), BatchBytes, 16 * KiB, 4 * MiB);
        bool isBackEnd = BackEnd is >= JournalBackEnd.Automatic and <= JournalBackEnd.Uring;
        check.Require(isBackEnd, nameof(BackEnd), BackEnd, "Automatic, Write, Uring");
        check.Between(nameof(CommitsInFlight), CommitsInFlight, 1, 64);
        Retention?.Check(check.Within(nameof(Retention)));
        check.Require(TimeProvider is not null, nameof(TimeProvider), null, "a time provider");
        check.ThrowIfWrong("options");
        var copy = (JournalOptions)MemberwiseClone();
        copy.SegmentBytes &= ~(4 * KiB - 1);
        return copy;
    }
}
