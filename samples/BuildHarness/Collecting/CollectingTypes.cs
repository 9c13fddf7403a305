using System;

namespace BuildHarness.Collecting;

/// <summary>The outputs of a project, all taken.</summary>
/// <param name="Turn">When it was built.</param>
/// <param name="Files">How many files.</param>
/// <param name="Bytes">Their bytes.</param>
internal sealed record CollectedProject(OutputTurn Turn, long Files, long Bytes);

/// <summary>A file to send.</summary>
/// <param name="FullPath">Where it is.</param>
/// <param name="Path">Its path in the output folder, with '/' between names.</param>
internal readonly record struct OutputItem(string FullPath, string Path);

/// <summary>A packet of outputs on its way from a receive loop to the collector.</summary>
/// <param name="Node">Who sent it.</param>
/// <param name="Turn">What that node was on when it arrived.</param>
/// <param name="Packet">The packet, or null: bytes, or the node's end.</param>
/// <param name="Block">Rented memory with bytes of a file, or null.</param>
/// <param name="Length">How many.</param>
/// <param name="Cost">What it takes of the window, until it is done.</param>
internal sealed record Arrival(NodeOutputs Node, OutputTurn? Turn, object? Packet, byte[]? Block, int Length, int Cost);

/// <summary>A project that was given to a node, for the first time or again. The higher number is the later one.</summary>
/// <param name="Project">The project's id in the plan.</param>
/// <param name="Title">Its name for people.</param>
/// <param name="Name">The folder of the collection that it goes to.</param>
/// <param name="Number">Counted over all nodes.</param>
internal sealed record OutputTurn(int Project, string Title, string Name, int Number)
{
    /// <summary>Gets the folder that its files grow in: no worker has a say in that name.</summary>
    public string Folder => System.FormattableString.Invariant($"{Project}.{Number}");
}

/// <summary>What arrived cannot be collected; the message is a sentence for a person.</summary>
internal sealed class CollectException(string message) : Exception(message);
