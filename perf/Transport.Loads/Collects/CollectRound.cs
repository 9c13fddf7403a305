using Transport.Loads.Measuring;

namespace Transport.Loads.Collects;

/// <summary>One round.</summary>
/// <param name="Delays">Of log packets, from Send to their handler.</param>
/// <param name="MedianBulk">Bytes of bulk written between a log packet's Send and its own write, the median.</param>
/// <param name="MostBulk">The most.</param>
/// <param name="Seconds">How long the collecting took, until all of it was taken.</param>
/// <param name="Memory">The most private memory of the main process more than before the collection was opened, bytes.</param>
internal sealed record CollectRound(Distribution Delays, double MedianBulk, double MostBulk, double Seconds, double Memory);
