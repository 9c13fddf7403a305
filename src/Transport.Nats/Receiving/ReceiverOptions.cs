using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Journal;

namespace Transport.Nats;

/// <summary>The options of a <see cref="JournalReceiver"/>. Checked and copied when it starts.</summary>
public sealed class ReceiverOptions
{
    /// <summary>Gets or sets the stream.</summary>
    /// <value>The default is <see cref="FleetStream"/>'s own.</value>
    public FleetStream Stream { get; set; } = new();

    /// <summary>Gets or sets the name under which the server keeps what was received: one for each receiver of a stream.</summary>
    /// <value>1 to 64 characters of A-Z a-z 0-9 _ -; the default is <c>receiver</c>.</value>
    public string Name { get; set; } = "receiver";

    /// <summary>Gets or sets the machines whose journals are received.</summary>
    /// <value>Empty by default: all below <see cref="FleetStream.Subject"/>. Several receivers share a fleet by that subject, or by
    /// machines; a server older than 2.10 delivers all blocks to a receiver that names several, which leaves out the others'.</value>
    public IReadOnlyCollection<string> Machines { get; set; } = [];

    /// <summary>Gets or sets the largest packet that is taken, in bytes.</summary>
    /// <value>1 KiB to 1 GiB - 64 KiB; the default is 16 MiB.</value>
    public int MaxPacketBytes { get; set; } = 16 << 20;

    /// <summary>Gets or sets how long packets that are missing are waited for, from the last of them that came. The shipper is asked for
    /// them, after half of the time once more; then they are a gap, and what follows is written.</summary>
    /// <value>100 ms to 1 h; the default is 30 s.</value>
    public TimeSpan GapPatience { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets or sets after how long without this receiver the server forgets how far it was. One of the same name that comes later
    /// begins with what the stream has by then.</summary>
    /// <value>1 min or more; null by default: never.</value>
    public TimeSpan? ForgetAfter { get; set; }

    /// <summary>Gets or sets what each journal's options are; <see cref="JournalOptions.MaxPacketBytes"/> is set here.</summary>
    /// <value>Null by default: the defaults of <see cref="JournalOptions"/>.</value>
    public Action<JournalOptions>? ConfigureJournal { get; set; }

    /// <summary>Gets or sets after how long without a server that can be used the receiver ends, with the fault.</summary>
    /// <value>Null by default: it never does.</value>
    public TimeSpan? GiveUpAfter { get; set; }

    /// <summary>Gets or sets what takes a line when something that a person should know has begun or ended: no server, a gap, a message
    /// that was put aside. On a thread of the receiver; must not throw.</summary>
    public Action<string>? Report { get; set; }

    /// <summary>Gets or sets after how long without a block a journal is closed.</summary>
    internal TimeSpan CloseAfter { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>Gets or sets the clock.</summary>
    /// <value>The default is the system's.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change.</returns>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal ReceiverOptions Checked()
    {
        var check = new OptionsCheck();
        check.Require(Stream is not null, nameof(Stream), null, "a stream");
        Stream?.Check(check.Within(nameof(Stream)));
        check.Require(Words.IsWord(Name), nameof(Name), Name, "1 to 64 characters of A-Z a-z 0-9 _ -");
        check.Require(Machines is not null, nameof(Machines), null, "a collection of names");
        bool isMost = MaxPacketBytes is >= 1 << 10 and <= (1 << 30) - (64 << 10);
        check.Require(isMost, nameof(MaxPacketBytes), MaxPacketBytes, "1 KiB to 1 GiB - 64 KiB");
        check.Between(nameof(GapPatience), GapPatience, TimeSpan.FromMilliseconds(100), TimeSpan.FromHours(1));
        bool isLong = ForgetAfter is null || ForgetAfter >= TimeSpan.FromMinutes(1);
        check.Require(isLong, nameof(ForgetAfter), ForgetAfter, "1 min or more, or null");
        check.Require(GiveUpAfter is null || GiveUpAfter > TimeSpan.Zero, nameof(GiveUpAfter), GiveUpAfter, "null, or a time");
        check.Require(TimeProvider is not null, nameof(TimeProvider), null, "a time provider");
        check.ThrowIfWrong("options");
        var copy = (ReceiverOptions)MemberwiseClone();
        (copy.Stream, copy.Machines) = (Stream!.Copy(), [.. Machines!.Select(Words.Of)]);
        return copy;
    }
}
