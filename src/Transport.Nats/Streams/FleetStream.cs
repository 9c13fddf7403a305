using System;

namespace Transport.Nats;

/// <summary>A stream of a fleet: where its journals' blocks are until they are received, or its requests until an agent has them. Shippers
/// and receivers of one fleet name the same, and so do remote pools and agents. Read when one of them starts.</summary>
public sealed class FleetStream
{
    /// <summary>Gets or sets the stream's name. The bucket of positions is the name with <c>_positions</c> behind it.</summary>
    /// <value>1 to 32 characters of A-Z a-z 0-9 _ -; the default is <c>TRANSPORT</c>, for work <c>TRANSPORT_work</c>.</value>
    public string Name { get; set; } = "TRANSPORT";

    /// <summary>Gets or sets the first words of the subjects; behind them come machine and journal:
    /// <c>transport.journal.build7.0f3c…</c>.</summary>
    /// <value>Words of A-Z a-z 0-9 _ - with points between them; the default is <c>transport.journal</c>, for work
    /// <c>transport.work</c>.</value>
    public string Subject { get; set; } = "transport.journal";

    /// <summary>Gets or sets a value indicating whether the stream and the bucket are created if they are not there. One that is there is
    /// never changed: it is checked.</summary>
    /// <value>The default is false.</value>
    public bool Create { get; set; }

    /// <summary>Gets or sets the bytes that a created stream keeps. The oldest blocks go first; requests are refused instead.</summary>
    /// <value>1 MiB or more; the default is 8 GiB, for work 256 MiB.</value>
    public long MaxBytes { get; set; } = 8L << 30;

    /// <summary>Gets or sets how long a created stream keeps a block or a request.</summary>
    /// <value>1 min or more, or <see cref="TimeSpan.Zero"/>: for ever; the default is 3 days, for work 1.</value>
    public TimeSpan MaxAge { get; set; } = TimeSpan.FromDays(3);

    /// <summary>Gets or sets on how many servers of a cluster a created stream lies.</summary>
    /// <value>1 to 5; the default is 1.</value>
    public int Replicas { get; set; } = 1;

    /// <summary>Makes what remote pools and agents have by default.</summary>
    internal static FleetStream ForWork() => new()
    {
        Name = "TRANSPORT_work", Subject = "transport.work", MaxBytes = 256 << 20, MaxAge = TimeSpan.FromDays(1),
    };

    /// <summary>Gets the bucket of positions.</summary>
    internal string Bucket => Name + "_positions";

    /// <summary>Gets the subjects of all journals.</summary>
    internal string AllSubjects => Subject + ".>";

    /// <summary>Notes every value that cannot be used.</summary>
    internal void Check(OptionsCheck check)
    {
        check.Require(Words.IsWord(Name) && Name.Length <= 32, nameof(Name), Name, "1 to 32 characters of A-Z a-z 0-9 _ -");
        bool isSubject = Subject is not null && Array.TrueForAll(Subject.Split('.'), Words.IsWord);
        check.Require(isSubject, nameof(Subject), Subject, "words of A-Z a-z 0-9 _ - with points between them");
        check.Require(MaxBytes >= 1 << 20, nameof(MaxBytes), MaxBytes, "1 MiB or more");
        bool isAge = MaxAge == TimeSpan.Zero || MaxAge >= TimeSpan.FromMinutes(1);
        check.Require(isAge, nameof(MaxAge), MaxAge, "1 min or more, or zero");
        check.Between(nameof(Replicas), Replicas, 1, 5);
    }

    /// <summary>Returns a copy that nobody else can change.</summary>
    internal FleetStream Copy() => (FleetStream)MemberwiseClone();
}
