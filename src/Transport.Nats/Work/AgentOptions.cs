using System;

namespace Transport.Nats;

/// <summary>The options of a <see cref="WorkAgent"/>. Checked and copied when it starts.</summary>
public sealed class AgentOptions
{
    /// <summary>Gets or sets the stream from which requests are taken.</summary>
    /// <value>The default is that of <see cref="RemotePoolOptions.Stream"/>.</value>
    public FleetStream Stream { get; set; } = FleetStream.ForWork();

    /// <summary>Gets or sets the name under which callers ask: agents of one name have the same handlers.</summary>
    /// <value>1 to 64 characters of A-Z a-z 0-9 _ -; the default is <c>default</c>.</value>
    public string Pool { get; set; } = "default";

    /// <summary>Gets or sets the agent's name, which callers show.</summary>
    /// <value>Any text; the default is <see cref="Environment.MachineName"/>.</value>
    public string Name { get; set; } = Environment.MachineName;

    /// <summary>Gets or sets how many requests are in work at once.</summary>
    /// <value>1 to 1,024; the default is null: as many as the pool has workers, or the machine processors.</value>
    public int? Slots { get; set; }

    /// <summary>Gets or sets after how long without a sign of its agent the server gives a request to another. The agent gives one each
    /// third of it. It is the server's, and set by the first agent of a pool.</summary>
    /// <value>1 s to 1 h; the default is 15 s.</value>
    public TimeSpan AckWait { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>Gets or sets after how long without a sign of its caller a request is cancelled.</summary>
    /// <value>1 s to 1 h; the default is 15 s.</value>
    public TimeSpan CallerPatience { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>Gets or sets after how long without a server that can be used the agent ends, with the fault.</summary>
    /// <value>Null by default: it never does.</value>
    public TimeSpan? GiveUpAfter { get; set; }

    /// <summary>Gets or sets what takes a line when something that a person should know has begun or ended: no server, a message that is no
    /// request, a caller that is gone. On a thread of the agent; must not throw.</summary>
    public Action<string>? Report { get; set; }

    /// <summary>Gets or sets the clock.</summary>
    /// <value>The default is the system's.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change.</returns>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal AgentOptions Checked()
    {
        var check = new OptionsCheck();
        check.Require(Stream is not null, nameof(Stream), null, "a stream");
        Stream?.Check(check.Within(nameof(Stream)));
        check.Require(Words.IsWord(Pool), nameof(Pool), Pool, "1 to 64 characters of A-Z a-z 0-9 _ -");
        check.Require(Name is not null, nameof(Name), null, "a text");
        check.Require(Slots is null or (>= 1 and <= 1_024), nameof(Slots), Slots, "1 to 1,024, or null");
        check.Between(nameof(AckWait), AckWait, TimeSpan.FromSeconds(1), TimeSpan.FromHours(1));
        check.Between(nameof(CallerPatience), CallerPatience, TimeSpan.FromSeconds(1), TimeSpan.FromHours(1));
        check.Require(GiveUpAfter is null || GiveUpAfter > TimeSpan.Zero, nameof(GiveUpAfter), GiveUpAfter, "null, or a time");
        check.Require(TimeProvider is not null, nameof(TimeProvider), null, "a time provider");
        check.ThrowIfWrong("options");
        var copy = (AgentOptions)MemberwiseClone();
        (copy.Stream, copy.Name) = (Stream!.Copy(), Name!.Length == 0 ? "agent" : TerminalText.Line(Name, 64));
        return copy;
    }
}
