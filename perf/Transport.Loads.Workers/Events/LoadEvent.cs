namespace Transport.Loads.Events;

/// <summary>The log event of every load: 252 bytes as MessagePack on average. Each send makes a new one with a text of its own, as a logger
/// does.</summary>
internal sealed class LoadEvent
{
    public required long Id { get; init; }

    public required long Ticks { get; init; }

    public required int Importance { get; init; }

    public required int Project { get; init; }

    public required int Target { get; init; }

    public required string Sender { get; init; }

    public required string Message { get; init; }
}
