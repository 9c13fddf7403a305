namespace BuildHarness.Collecting;

/// <summary>A packet of outputs on its way from a receive loop to the collector.</summary>
/// <param name="Node">Who sent it.</param>
/// <param name="Turn">What that node was on when it came.</param>
/// <param name="Packet">The packet, or null: bytes, or the node's end.</param>
/// <param name="Block">Rented memory with bytes of a file, or null.</param>
/// <param name="Length">How many.</param>
/// <param name="Cost">What it takes of the window, until it is done.</param>
internal sealed record Arrival(NodeOutputs Node, OutputTurn? Turn, object? Packet, byte[]? Block, int Length, int Cost);
