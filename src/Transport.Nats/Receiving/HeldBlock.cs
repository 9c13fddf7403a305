namespace Transport.Nats;

/// <summary>A block that came before one that it follows.</summary>
/// <param name="Header">Its header.</param>
/// <param name="Content">Its packets.</param>
internal sealed record HeldBlock(BlockHeader Header, byte[] Content);
