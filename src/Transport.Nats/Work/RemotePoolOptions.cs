using System;

namespace Transport.Nats;

/// <summary>The options of a <see cref="RemotePool"/>. Checked and copied when it starts.</summary>
public sealed class RemotePoolOptions
{
    /// <summary>Gets or sets the stream in which requests wait for an agent.</summary>
    /// <value>The default is <c>TRANSPORT_work</c> with subjects that begin with <c>transport.work</c>, 256 MiB, 1 day.</value>
    public FleetStream Stream { get; set; } = FleetStream.ForWork();

    /// <summary>Gets or sets the name of the agents that are asked (<see cref="AgentOptions.Pool"/>): agents of one name have the same
    /// handlers.</summary>
    /// <value>1 to 64 characters of A-Z a-z 0-9 _ -; the default is <c>default</c>.</value>
    public string Pool { get; set; } = "default";

    /// <summary>Gets or sets how many agents may begin a request. One that none of them has answered fails, with the names of all: its
    /// agents died, or were cut off.</summary>
    /// <value>1 to 100; the default is 3.</value>
    public int MaxTries { get; set; } = 3;

    /// <summary>Gets or sets the largest response that is taken, in bytes.</summary>
    /// <value>1 KiB to 1 GiB; the default is 64 MiB.</value>
    public int MaxResponseBytes { get; set; } = 64 << 20;

    /// <summary>Gets or sets after how long without a server that can be used all requests fail, and the pool ends.</summary>
    /// <value>Null by default: it never does; requests wait for the server, up to their timeouts.</value>
    public TimeSpan? GiveUpAfter { get; set; }

    /// <summary>Gets or sets after how long it is reported that no agent begins a request.</summary>
    internal TimeSpan Patience { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets or sets what takes a line when something that a person should know has begun or ended: no server, no agent. On a
    /// thread of the pool; must not throw.</summary>
    public Action<string>? Report { get; set; }

    /// <summary>Gets or sets the clock.</summary>
    /// <value>The default is the system's.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change.</returns>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal RemotePoolOptions Checked()
    {
        var check = new OptionsCheck();
        check.Require(Stream is not null, nameof(Stream), null, "a stream");
        Stream?.Check(check.Within(nameof(Stream)));
        check.Require(Words.IsWord(Pool), nameof(Pool), Pool, "1 to 64 characters of A-Z a-z 0-9 _ -");
        check.Between(nameof(MaxTries), MaxTries, 1, 100);
        check.Bytes(nameof(MaxResponseBytes), MaxResponseBytes, 1 << 10, 1 << 30);
        check.Require(GiveUpAfter is null || GiveUpAfter > TimeSpan.Zero, nameof(GiveUpAfter), GiveUpAfter, "null, or a time");
        check.Require(TimeProvider is not null, nameof(TimeProvider), null, "a time provider");
        check.ThrowIfWrong("options");
        var copy = (RemotePoolOptions)MemberwiseClone();
        copy.Stream = Stream!.Copy();
        return copy;
    }
}
