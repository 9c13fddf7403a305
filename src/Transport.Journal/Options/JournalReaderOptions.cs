using System;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>What a reader shows. All filters must agree; those that are not set let everything through.</summary>
public sealed class JournalReaderOptions
{
    /// <summary>Gets or sets the first position to show.</summary>
    /// <value>
    /// From 0; the default is 0: from the oldest packet there is. A position above 0 that was dropped is
    /// <see cref="JournalFault.Compacted"/>; one that is not there yet is waited for.
    /// </value>
    public long From { get; set; }

    /// <summary>Gets or sets the nodes to show.</summary>
    /// <value>Names; the default is null: all.</value>
    public IReadOnlyCollection<string>? Nodes { get; set; }

    /// <summary>Gets or sets the packet types to show.</summary>
    /// <value>Numbers; the default is null: all.</value>
    public IReadOnlyCollection<ushort>? Types { get; set; }

    /// <summary>Gets or sets the earliest time to show.</summary>
    /// <value>The default is null: any.</value>
    public DateTimeOffset? After { get; set; }

    /// <summary>Gets or sets the time before which packets are shown.</summary>
    /// <value>The default is null: any.</value>
    public DateTimeOffset? Before { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether the reader goes on with what is appended while it reads
    /// (<see cref="JournalReader.WaitAsync"/>). Such a reader shows only what is
    /// committed: what its policy would have acknowledged. One that does not follow ends with the last valid record that it finds.
    /// </summary>
    /// <value>The default is false.</value>
    public bool Follow { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether a reader that does not follow goes on behind a damaged place, with the next two records
    /// that are valid and follow one another. <see cref="JournalReader.Condition"/> is Damaged at its end all the same.
    /// </summary>
    /// <value>The default is false: it ends there.</value>
    public bool PastDamage { get; set; }

    /// <summary>Gets or sets how often a reader of another process looks whether there is more.</summary>
    /// <value>1 ms to 1 minute; the default is 50 ms.</value>
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromMilliseconds(50);

    /// <summary>Gets or sets the clock of the waits.</summary>
    /// <value>The default is <see cref="TimeProvider.System"/>.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change.</returns>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal JournalReaderOptions CheckedCopy()
    {
        var check = new OptionsCheck();
        check.Require(From >= 0, nameof(From), From, "0 or more");
        check.Between(nameof(PollInterval), PollInterval, TimeSpan.FromMilliseconds(1), TimeSpan.FromMinutes(1));
        check.Require(TimeProvider is not null, nameof(TimeProvider), null, "a time provider");
        check.ThrowIfWrong("options");
        return (JournalReaderOptions)MemberwiseClone();
    }
}
