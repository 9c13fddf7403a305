using Transport;


namespace BuildHarness.Packets;

/// <summary>Main node to worker: begin nothing more, and give up what you are on, unless the reason is <see cref="Done"/>.</summary>
/// <param name="Reason">Why, for a person.</param>
[Packet(515, Lane = Lane.Urgent)]
internal sealed partial record StopWork(string Reason)
{
    /// <summary>All work is done.</summary>
    public const string Done = "done";

    /// <summary>A signal.</summary>
    public const string Interrupted = "interrupted";

    /// <summary>The main node cannot go on.</summary>
    public const string GivenUp = "given up";
}
